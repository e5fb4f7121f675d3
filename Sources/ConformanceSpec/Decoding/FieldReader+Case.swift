import ConformanceModel
import JSONKit

/// A case as it stands in its file, and what it becomes for each row of its table.
struct CaseText {
  /// The case for one row: without the table, the row's values put in.
  struct Expansion {
    var row: String?
    var values: Bindings
    var field: JSONField
  }

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
      for part in ["environment", "steps", "witness", "claims"] { filled[part] = object[part]?.filled(with: values) }
      return Expansion(row: row["row"]?.string, values: values, field: JSONField(.object(filled), path: field.path))
    }
  }
}

extension CaseText {
  /// The case with its table, and with what its first row puts in.
  var filledForReading: JSON {
    guard let rows = field.value["rows"], var filled = expansions.first?.field.value.object else { return field.value }
    filled["rows"] = rows
    return .object(filled)
  }
}

extension FieldReader {
  /// A case; `line` tells where a path stands in the file.
  mutating func `case`(
    _ text: CaseText, of definition: ProtocolDefinition, file: String, line: (JSONPath) -> Int
  ) -> Case {
    let field = text.field
    return Case(
      id: CaseID(self.text(field.member("case"))), aliases: texts(field.member("aliases")).map { CaseID($0) },
      title: self.text(field.member("title")), role: word(field.member("role"), otherwise: .sdk),
      dialects: field.member("dialects").map { texts($0).map { Dialect($0) } } ?? definition.dialects,
      needs: texts(field.member("needs")), mount: self.text(field.member("mount")),
      namesDecoy: ["environment", "steps", "rows"].contains { field.value[$0]?.mentions("decoy") ?? false },
      scenarios: text.expansions.map { expansion in
        Case.Scenario(
          row: expansion.row, values: expansion.values,
          environment: expansion.field.member("environment")?.value.object ?? [:],
          steps: steps(expansion.field.member("steps")),
          witness: elements(expansion.field.member("witness")).compactMap { assertion($0) },
          claims: elements(expansion.field.member("claims")).flatMap { claims($0, line: line($0.path)) })
      },
      file: file, line: line(field.path))
  }

  /// One claim for each requirement that is named.
  private mutating func claims(_ field: JSONField, line: Int) -> [Claim] {
    guard let assertion = assertion(field) else { return [] }
    let dialects = field.member("dialects").map { texts($0).map { Dialect($0) } }
    return field.requirementIDs.map {
      Claim(requirement: $0, dialects: dialects, assertion: assertion, line: line)
    }
  }
}

extension JSONField {
  /// The requirements of a claim, one or a list.
  var requirementIDs: [RequirementID] {
    let value = self.value["requirement"]
    return (value?.array ?? value.map { [$0] } ?? []).compactMap(\.string).map { RequirementID($0) }
  }
}

extension JSON {
  /// Whether a text in it holds the word.
  fileprivate func mentions(_ word: String) -> Bool {
    switch self {
    case .string(let text): text.utf8.holds(word.utf8)
    case .array(let elements): elements.contains { $0.mentions(word) }
    case .object(let object): object.members.contains { $0.value.mentions(word) }
    case .null, .bool, .number: false
    }
  }
}

extension String.UTF8View {
  fileprivate func holds(_ word: String.UTF8View) -> Bool {
    indices.contains { self[$0] == word.first && self[$0...].starts(with: word) }
  }
}
