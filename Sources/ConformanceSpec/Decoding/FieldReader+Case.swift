import ConformanceModel
import JSONKit
import Templates

/// A case as its file contains it, and the case with filled holes for each row of its table.
package struct CaseText {
  /// The case for one row: without the table, and with the row's values in place of their holes.
  struct Expansion {
    var row: String?
    var values: Bindings
    var field: JSONField
  }

  /// The members in which the values of a row fill holes.
  package static let filledParts = ["environment", "given", "steps", "witness", "controls", "assumes", "claims"]

  let field: JSONField
  let expansions: [Expansion]

  init(_ field: JSONField) {
    self.field = field
    guard let rows = field.value["rows"]?.array, let object = field.value.object else {
      expansions = [Expansion(row: nil, values: [:], field: field)]
      return
    }
    expansions = rows.map { row in
      var values = Bindings(
        Dictionary(row.object?.members.map { ($0.key, $0.value) } ?? []) { _, last in last })
      values["row"] = nil
      var filled = object
      filled["rows"] = nil
      for part in CaseText.filledParts { filled[part] = object[part]?.filled(with: values) }
      return Expansion(row: row["row"]?.string, values: values, field: JSONField(.object(filled), path: field.path))
    }
  }
}

extension CaseText {
  /// The case with its table, and with the values of the first row in place of their holes.
  var filledForReading: JSON {
    guard let rows = field.value["rows"], var filled = expansions.first?.field.value.object else { return field.value }
    filled["rows"] = rows
    return .object(filled)
  }
}

extension FieldReader {
  /// Reads a case. `line` returns the line of a path in the file.
  mutating func `case`(
    _ text: CaseText, of definition: ProtocolDefinition, file: String, line: (JSONPath) -> Int
  ) -> Case {
    let field = text.field
    let texts = text.expansions.map(\.field.value)
    let states = vocabulary.states(usedBy: texts)
    return Case(
      id: CaseID(self.text(field.member("case"))), aliases: self.texts(field.member("aliases")).map { CaseID($0) },
      title: self.text(field.member("title")), role: Role(self.text(field.member("role"))),
      dialects: field.member("dialects").map { self.texts($0).map { Dialect($0) } } ?? definition.dialects,
      needs: self.texts(field.member("needs")), mount: self.text(field.member("mount")),
      tls: Set(self.texts(field.member("tls")).map { ServiceName($0) }),
      services: services(namedIn: [field.value] + states), runsAlone: bool(field.member("alone"), otherwise: false),
      scenarios: text.expansions.map { expansion in
        Case.Scenario(
          row: expansion.row, values: expansion.values,
          environment: expansion.field.member("environment")?.value.object ?? [:], given: given(expansion.field),
          steps: steps(expansion.field.member("steps")),
          witness: elements(expansion.field.member("witness")).compactMap { assertion($0) },
          controls: elements(expansion.field.member("controls")).compactMap { assertion($0) },
          assumes: claims(
            elements(expansion.field.member("assumes")).map { assumption($0, of: expansion.values) }, line: line),
          claims: claims(elements(expansion.field.member("claims")), line: line))
      },
      digest: Digest.of([field.value] + states + vocabulary.assumptions(usedBy: texts)), file: file,
      line: line(field.path))
  }

  /// Converts an entry of `assumes` to a claim. If the entry is a name, the claim with this name comes from
  /// `steps.yaml`, and the values of the row fill its holes.
  private mutating func assumption(_ field: JSONField, of values: Bindings) -> JSONField {
    guard let name = field.value.string else { return field }
    if let assumption = vocabulary.assumptions[name] {
      return JSONField(assumption.filled(with: values), path: field.path)
    }
    guard vocabulary.isWhole else { return field }
    let known = vocabulary.assumptions.keys.sorted()
    var problem = field.problem(
      expected: "an assumption of steps.yaml"
        + (known.isEmpty ? ", which has none" : ": " + known.joined(separator: ", ")))
    problem.hint = Nearest.suggestion(for: name, in: known)
    report(problem)
    return field
  }

  /// The states that the `given` of a case names, with their steps and assertions.
  private mutating func given(_ field: JSONField) -> [Case.Precondition] {
    var found: [Case.Precondition] = []
    for use in field.stateUses {
      guard let state = state(use) else { continue }
      found.append(
        Case.Precondition(
          state: use.name, requirements: state.requirementIDs, steps: steps(state.member("steps")),
          holds: elements(state.member("holds")).compactMap { assertion($0) }))
    }
    return found
  }

  /// A state of `steps.yaml` with its holes filled. If `use` sets no value for a hole, the state's own value fills it.
  /// If the state does not exist, reports this and returns nil.
  mutating func state(_ use: StateUse) -> JSONField? {
    guard let state = vocabulary.states[use.name] else {
      guard vocabulary.isWhole else { return nil }
      let known = vocabulary.states.keys.sorted()
      var problem = use.field.problem(
        expected: "a state of steps.yaml" + (known.isEmpty ? ", which has none" : ": " + known.joined(separator: ", ")))
      problem.hint = Nearest.suggestion(for: use.name, in: vocabulary.states.keys)
      report(problem)
      return nil
    }
    var values: Bindings = [:]
    for member in state.value["with"]?.object?.members ?? [] { values[member.key] = member.value }
    for member in use.with.members {
      if values[member.key] == nil {
        report(
          .init(
            path: use.field.path, expected: "values that the state '\(use.name)' takes", found: "'\(member.key)'",
            hint: Nearest.suggestion(for: member.key, in: values.values.keys)))
      }
      values[member.key] = member.value
    }
    // A mistake that the values of this use cause is reported at the use. The state itself is checked in its own file.
    return JSONField(state.value.filled(with: values), path: use.field.path)
  }

  /// The services that the cases and states in `values` refer to.
  private func services(namedIn values: [JSON]) -> Set<ServiceName> {
    Set(
      vocabulary.services.filter { service in
        values.contains { value in
          ["environment", "given", "with", "steps", "rows", "ways"].contains { value[$0]?.names(service) ?? false }
        }
      })
  }

  /// The claims in a list of entries. `line` returns the line of a path in the file.
  private mutating func claims(_ fields: [JSONField], line: (JSONPath) -> Int) -> [Claim] {
    var claims: [Claim] = []
    for (index, field) in fields.enumerated() where field.value.string == nil {
      claims += self.claims(field, line: line(field.path), index: index)
    }
    return claims
  }

  /// The claims of an entry, one for each requirement that the entry names.
  mutating func claims(_ field: JSONField, line: Int, index: Int) -> [Claim] {
    guard let assertion = assertion(field) else { return [] }
    let dialects = field.member("dialects").map { texts($0).map { Dialect($0) } }
    return field.requirementIDs.map {
      Claim(requirement: $0, dialects: dialects, assertion: assertion, line: line, index: index)
    }
  }

  /// The claim that `steps.yaml` defines under this name, for use in `assumes`.
  mutating func namedAssumption(_ name: String, _ field: JSONField) -> NamedAssumption {
    NamedAssumption(name: name, text: field.value, claims: claims([field]) { _ in 0 })
  }
}

/// The name of a state that a case or step uses, and the values that it sets for the state's holes.
struct StateUse {
  var name: String
  var with: JSON.Object
  var field: JSONField
}

extension JSONField {
  /// The requirements of a claim or a state. The member `requirement` contains one id, or a list of ids.
  package var requirementIDs: [RequirementID] {
    let value = self.value["requirement"]
    return (value?.array ?? value.map { [$0] } ?? []).compactMap(\.string).map { RequirementID($0) }
  }

  /// The states that a case uses: `given: started`, or a list of names and of `{ state: NAME, with: … }`.
  var stateUses: [StateUse] {
    guard let given = member("given") else { return [] }
    let list = (try? given.elements()) ?? [given]
    return list.map { field in
      StateUse(
        name: field.value.string ?? field.value["state"]?.string ?? "",
        with: field.value["with"]?.object ?? [:], field: field)
    }
  }
}

extension JSON {
  /// Whether the value refers to a service: in a hole such as `${api.url}`, or in a member `at`.
  fileprivate func names(_ service: ServiceName) -> Bool {
    switch self {
    case .string(let text):
      HoleText(text).pieces.contains { piece in
        if case .hole(_, let inside) = piece { inside.hasPrefix("\(service.rawValue).") } else { false }
      }
    case .array(let elements): elements.contains { $0.names(service) }
    case .object(let object):
      object.members.contains { member in
        member.key == "at" && member.value.string == service.rawValue || member.value.names(service)
      }
    case .null, .bool, .number: false
    }
  }
}
