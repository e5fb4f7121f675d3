import ConformanceModel
import JSONKit

/// The names by which the holes of a part of a provisioning file are filled.
struct LentHoleNames {
  /// Those that have a value. One with a dot is the only part that its first word has.
  let known: [String]
  /// Those that the protocol knows and the file does not give: a member that may be left out can name them.
  let possible: Set<String>
  /// The JSON Schemas of the values that have parts, by name: a hole that names a part which none of them allows is misspelt.
  var schemas: [String: JSON] = [:]

  /// The holes of a template that nothing fills, each where it stands.
  func problems(of field: JSONField) -> [JSONField.Problem] {
    guard !field.value.holdsEndlessText, let template = try? Template(field) else { return [] }
    let required = template.node.requiredHoles
    let optional = template.holeNames.filter { name in
      !required.contains { $0.base == name } && !possible.contains(name)
    }
    let unfilled = Set(required + optional).filter { !isFilled($0) }
    // A member that may be left out can name a part that is not always there, but none that never is.
    let parts = Set(template.node.references).filter { !unfilled.contains($0) && !unfilled.contains($0.base) }
    let impossible = parts.compactMap { name in possibleParts(of: name).map { (name, $0) } }
    return unfilled.sorted().map { name in
      JSONField.Problem(
        path: field.path(ofHole: name) ?? field.path,
        expected: known.isEmpty ? "a text without holes" : "holes with a name out of " + known.joined(separator: ", "),
        found: "${\(name)}", hint: hint(for: name))
    }
      + impossible.sorted { $0.0 < $1.0 }.map { name, parts in
        JSONField.Problem(
          path: field.path(ofHole: name) ?? field.path,
          expected: "a part of '\(name.base)' out of " + parts.joined(separator: ", "), found: "${\(name)}",
          hint: Nearest.suggestion(for: name, in: parts))
      }
  }

  /// The parts that there can be, where a hole names another one; `nil` where it names one of them.
  private func possibleParts(of name: String) -> [String]? {
    var words = name.split(separator: ".").map(String.init)[...]
    guard let base = words.popFirst(), var schema = schemas[base] else { return nil }
    var path = base
    // What follows is not a member but a function of the value.
    while let word = words.popFirst(), !word.hasPrefix("$") {
      let members = schema["properties"]?.object
      if let inner = members?[word] {
        schema = inner
        path += ".\(word)"
      } else if schema["additionalProperties"] == false {
        return (members?.keys ?? []).sorted().map { "\(path).\($0)" }
      } else {
        return nil
      }
    }
    return nil
  }

  /// Whether a hole of this name has a value.
  func isFilled(_ name: String) -> Bool {
    known.contains(name) || known.contains(name.base) || name == name.base && known.contains { $0.base == name }
  }

  private func hint(for name: String) -> String? {
    possible.contains(name.base) ? "give it in 'values'" : Nearest.suggestion(for: name, in: known)
  }
}

extension JSONField {
  /// The path of the first text in which a hole of this name stands.
  fileprivate func path(ofHole name: String) -> JSONPath? {
    if let text = value.string {
      let holds = HoleText(text).pieces.contains { piece in
        guard case .hole(_, let inside) = piece else { return false }
        let written = inside.prefix { $0 != ":" }
        return written == name || String(written).base == name
      }
      return holds ? path : nil
    }
    let inner = (try? elements()) ?? (try? members())?.map(\.field) ?? []
    return inner.lazy.compactMap { $0.path(ofHole: name) }.first
  }
}
