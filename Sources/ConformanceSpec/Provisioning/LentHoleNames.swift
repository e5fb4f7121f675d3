import ConformanceModel
import JSONKit

/// The names by which the holes of a part of a provisioning file are filled.
struct LentHoleNames {
  /// Those that have a value. One with a dot is the only part that its first word has.
  let known: [String]
  /// Those that the protocol knows and the file does not give: a member that may be left out can name them.
  let possible: Set<String>

  /// The holes of a template that nothing fills, each where it stands.
  func problems(of field: JSONField) -> [JSONField.Problem] {
    guard !field.value.holdsEndlessText, let template = try? Template(field) else { return [] }
    let required = template.node.requiredHoles
    let optional = template.holeNames.filter { name in
      !required.contains { $0.base == name } && !possible.contains(name)
    }
    return Set(required + optional).sorted().filter { !isFilled($0) }.map { name in
      JSONField.Problem(
        path: field.path(ofHole: name) ?? field.path,
        expected: known.isEmpty ? "a text without holes" : "holes with a name out of " + known.joined(separator: ", "),
        found: "${\(name)}", hint: hint(for: name))
    }
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
