import ConformanceModel
import JSONKit
import Templates

/// A state of `steps.yaml`. The state's own default values fill the holes in its steps and assertions.
package struct NamedState: Sendable {
  package var name: String
  package var text: String
  package var precondition: Case.Precondition
}

/// An assumption of `steps.yaml`: a claim that several cases presuppose and that other cases judge.
package struct NamedAssumption: Sendable {
  package var name: String
  /// The assumption as written in the file, including the holes that rows of cases fill.
  package var text: JSON
  package var claims: [Claim]
}

extension FieldReader {
  /// Reads a state. The values in the state's `with` fill its holes.
  mutating func namedState(_ field: JSONField) -> NamedState {
    let name = text(field.member("state"))
    let usual = Bindings(
      Dictionary((field.value["with"]?.object?.members ?? []).map { ($0.key, $0.value) }) { _, last in last })
    let filled = JSONField(field.value.filled(with: usual), path: field.path)
    performed = [name]
    defer { performed = [] }
    return NamedState(
      name: name, text: text(field.member("text")),
      precondition: Case.Precondition(
        state: name, requirements: field.requirementIDs, steps: steps(filled.member("steps")),
        holds: elements(filled.member("holds")).compactMap { assertion($0) }))
  }
}
