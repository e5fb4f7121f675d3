import ConformanceModel
import JSONKit

extension FieldReader {
  /// `protocol.yaml`.
  mutating func definition(_ root: JSONField) -> ProtocolDefinition {
    ProtocolDefinition(
      name: text(root.member("protocol")), title: text(root.member("title")), document: text(root.member("document")),
      revision: text(root.member("revision")),
      roles: elements(root.member("roles")).map { word($0, otherwise: .sdk) },
      dialects: texts(root.member("dialects")).map { Dialect($0) },
      features: elements(root.member("features")).map { field in
        .init(number: int(field.member("number")) ?? 0, name: text(field.member("name")))
      },
      capabilities: elements(root.member("capabilities")).map { field in
        .init(
          name: text(field.member("name")), role: word(field.member("role"), otherwise: .sdk),
          isRequired: bool(field.member("required"), otherwise: false), text: text(field.member("text")),
          isClientAddress: bool(field.member("clientAddress"), otherwise: false))
      },
      commands: elements(root.member("commands")).map { command($0) },
      values: elements(root.member("values")).map { field in
        .init(
          name: text(field.member("name")), text: text(field.member("text")),
          capability: text(field.member("capability")))
      },
      errorKinds: texts(root.member("errorKinds")), secrets: texts(root.member("secrets")))
  }

  private mutating func command(_ field: JSONField) -> ProtocolDefinition.Command {
    .init(
      name: text(field.member("command")), role: word(field.member("role"), otherwise: .sdk),
      text: text(field.member("text")),
      capability: field.member("capability").map { text($0) }, params: schema(field.member("params")),
      result: schema(field.member("result")))
  }

  /// A JSON Schema, which must compile.
  private mutating func schema(_ field: JSONField?) -> JSON {
    guard let field else { return true }
    do {
      _ = try JSONSchema(field.value)
    } catch {
      var problem = error
      problem.path = JSONPath(field.path.steps + error.path.steps)
      report(problem)
    }
    return field.value
  }

  mutating func requirement(_ field: JSONField, of definition: ProtocolDefinition) -> Requirement {
    let source = field.member("source")
    return Requirement(
      id: RequirementID(text(field.member("id"))), role: word(field.member("role"), otherwise: .sdk),
      feature: int(field.member("feature")), level: word(field.member("level"), otherwise: .must),
      basis: word(field.member("basis"), otherwise: .stated),
      source: .init(
        document: source?.member("document").map { text($0) } ?? definition.document,
        section: text(source?.member("section")), revision: text(source?.member("revision"))),
      text: text(field.member("text")), condition: field.member("condition").map { text($0) },
      position: field.member("position").map { PositionID(text($0)) },
      untestable: field.member("untestable").map { text($0) }, withdrawn: field.member("withdrawn").map { text($0) })
  }

  mutating func equivalentMutant(_ field: JSONField) -> EquivalentMutant {
    EquivalentMutant(pattern: text(field.member("mutant")), reason: text(field.member("reason")))
  }

  mutating func position(_ field: JSONField) -> Position {
    Position(
      id: PositionID(text(field.member("id"))), gap: text(field.member("gap")), text: text(field.member("text")))
  }

  mutating func defect(_ field: JSONField) -> Defect {
    Defect(
      id: DefectID(text(field.member("id"))), side: word(field.member("side"), otherwise: .sdk),
      requirement: RequirementID(text(field.member("breaks"))), caseName: text(field.member("noticed")),
      dialect: field.member("dialect").map { Dialect(text($0)) }, text: text(field.member("text")),
      mustSurvive: field.member("mustSurvive").map { text($0) })
  }

  mutating func variant(_ field: JSONField) -> Variant {
    Variant(
      id: DefectID(text(field.member("id"))), side: word(field.member("side"), otherwise: .sdk),
      text: text(field.member("text")))
  }
}
