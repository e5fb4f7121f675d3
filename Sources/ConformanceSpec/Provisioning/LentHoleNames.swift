import JSONKit
import Templates

/// The names that holes in one part of a provisioning file may use.
struct LentHoleNames {
  /// The names that have a value. A name with a dot, such as `client.url`, means that only this part of `client` has a
  /// value.
  let known: [String]
  /// The names of values that the protocol defines. If the file contains no value for such a name, only an optional
  /// member may use it.
  let possible: Set<String>
  /// Maps the name of each value that has parts to the JSON Schema of the value. If the schema does not allow a part, a
  /// hole that names this part is misspelled.
  var schemas: [String: JSON] = [:]

  /// A problem for each hole of the template in `field` that has no value.
  func problems(of field: JSONField) -> [JSONField.Problem] {
    guard !field.value.holdsEndlessText, let template = try? Template(field) else { return [] }
    let required = template.node.requiredHoles
    let optional = template.holeNames.filter { name in
      !required.contains { $0.base == name } && !possible.contains(name)
    }
    let unfilled = Set(required + optional).filter { !isFilled($0) }
    // An optional member may use a part that is sometimes absent, but not a part that cannot exist.
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

  /// The parts that the schema of a value allows, if the name ends with a part that it does not allow; otherwise nil.
  private func possibleParts(of name: String) -> [String]? {
    var words = name.split(separator: ".").map(String.init)[...]
    guard let base = words.popFirst(), var schema = schemas[base] else { return nil }
    var path = base
    // A word with `$` is not a member but a function of the value.
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

  /// Whether a hole with this name has a value.
  func isFilled(_ name: String) -> Bool {
    known.contains(name) || known.contains(name.base) || name == name.base && known.contains { $0.base == name }
  }

  private func hint(for name: String) -> String? {
    possible.contains(name.base) ? "give it in 'values'" : Nearest.suggestion(for: name, in: known)
  }
}

extension JSONField {
  /// The path of the first text that contains a hole with this name.
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
