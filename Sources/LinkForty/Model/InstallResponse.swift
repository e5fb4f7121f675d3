import ConformanceModel
import JSONKit

/// What a server answers to an install: the id it gave, and the link behind the install if it found one.
///
/// Source: "Models Reference", InstallResponse. The score goes from 0 to 100; the vocabulary of factors is open.
package struct InstallResponse: Hashable, Sendable {
  package var installId: String
  package var attributed: Bool
  package var confidenceScore: JSON.Number
  package var matchedFactors: [String]
  /// nil for an organic install, which servers spell as `null`, as `{}` or by leaving the member out.
  package var deepLinkData: DeepLinkData?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    installId: String, attributed: Bool, confidenceScore: Int, matchedFactors: [String],
    deepLinkData: DeepLinkData? = nil, others: JSON.Object = [:]
  ) {
    self.installId = installId
    self.attributed = attributed
    self.confidenceScore = JSON.Number(confidenceScore)
    self.matchedFactors = matchedFactors
    self.deepLinkData = deepLinkData
    self.others = others
  }

  /// An install that no click led to.
  package static func organic(installId: String) -> InstallResponse {
    InstallResponse(installId: installId, attributed: false, confidenceScore: 0, matchedFactors: [])
  }
}

extension InstallResponse: JSONRepresentable {
  package var representation: JSON { representation(deepLinkData: deepLinkData?.representation) }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    let id = try field.required("installId")
    installId = try id.string()
    if installId.isEmpty { throw id.problem(expected: "an install id") }
    attributed = try field.required("attributed").bool()
    let score = try field.required("confidenceScore")
    guard let number = score.value.number else { throw score.problem(expected: "a number") }
    confidenceScore = number
    matchedFactors = try field.required("matchedFactors").strings()
    deepLinkData = try InstallResponse.link(field)
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }

  private static func link(_ field: JSONField) throws(JSONField.Problem) -> DeepLinkData? {
    guard let data = field.optional("deepLinkData"), data.value != [:] else { return nil }
    return try DeepLinkData(data)
  }

  private func representation(deepLinkData: JSON?) -> JSON {
    OpenMembers.join(
      [
        ("installId", .string(installId)), ("attributed", .bool(attributed)),
        ("confidenceScore", .number(confidenceScore)), ("matchedFactors", .strings(matchedFactors)),
        ("deepLinkData", deepLinkData),
      ], others)
  }
}

extension InstallResponse {
  /// The answer as a server of the dialect spells it: an organic install has `{}` in Core 1.21 and else `null`; a link
  /// has legacy names in Core 1.21, canonical ones in `spec`, and both in what came later.
  package func representation(in dialect: ServerDialect) -> JSON {
    switch dialect {
    case .spec: return representation(deepLinkData: deepLinkData?.representation ?? .null)
    case .core121:
      let legacy = deepLinkData?.legacyRepresentation(
        confidenceScore: confidenceScore.int ?? 0, matchedFactors: matchedFactors)
      return representation(deepLinkData: legacy ?? [:])
    case .coreNext, .cloud: return representation(deepLinkData: repeatedLink ?? .null)
    }
  }

  /// The link in canonical names, with those of the legacy names that differ after them.
  private var repeatedLink: JSON? {
    guard let deepLinkData, var members = deepLinkData.representation.object else { return nil }
    members["isDeferred"] = true
    let legacy = deepLinkData.legacyRepresentation(
      confidenceScore: confidenceScore.int ?? 0, matchedFactors: matchedFactors)
    for member in legacy.object?.members ?? [] where members[member.key] == nil { members[member.key] = member.value }
    return .object(members)
  }
}
