import ConformanceModel
import JSONKit

extension FieldReader {
  /// Reads an element of `certification:` in `protocol.yaml`.
  mutating func tier(_ field: JSONField) -> CertificationTier {
    CertificationTier(
      name: text(field.member("tier")), text: text(field.member("text")),
      roles: texts(field.member("roles")).map { Role($0) },
      dialects: texts(field.member("dialects")).map { Dialect($0) },
      profiles: texts(field.member("profiles")), gate: word(field.member("gate"), otherwise: .stated),
      clock: field.member("clock").map { word($0, otherwise: .virtual) },
      mayLack: field.member("mayLack").map { texts($0) },
      validDays: int(field.member("validDays")) ?? 0, graceDays: int(field.member("graceDays")) ?? 0,
      relegationDays: int(field.member("relegationDays")),
      submission: elements(field.member("submission")).map { field in
        .init(
          id: text(field.member("id")), place: word(field.member("place"), otherwise: .person),
          text: text(field.member("text")),
          flows: elements(field.member("flows")).map { flow in
            .init(name: text(flow.member("flow")), calls: texts(flow.member("calls")))
          })
      })
  }
  /// Reads `disputed:` in `protocol.yaml`, which maps each disputed requirement to the reason.
  mutating func disputed(_ field: JSONField?) -> [RequirementID: String] {
    elements(field).reduce(into: [:]) { disputed, field in
      let id = RequirementID(text(field.member("requirement")))
      guard disputed.updateValue(text(field.member("reason")), forKey: id) == nil else {
        return report(field.problem(expected: "each requirement once"))
      }
    }
  }
}
