import ConformancePack

extension CommonChecks {
  /// The documentation of the checks that all protocols share, as a page in Markdown.
  package static var page: String {
    let sections = all.sorted { $0.key < $1.key }.map { name, check in
      (["## `\(name)`", check.text] + table(check.parameters)).joined(separator: "\n\n")
    }
    let head = """
      # The checks that every protocol has

      This page is for authors of cases. `conform explain checks` writes it. A claim names a check if no assertion
      of the [claims](claims-format.md) expresses it: `check: { name: NAME, with: {…} }`. `conform list checks` also
      shows the checks of a protocol.
      """
    return ([head] + sections).joined(separator: "\n\n") + "\n"
  }

  private static func table(_ parameters: [Check.Parameter]) -> [String] {
    guard !parameters.isEmpty else { return [] }
    let rows = parameters.map { "| `\($0.name)` | \($0.isRequired ? "required" : "") | \($0.kind.title) |" }
    return [(["| in `with` | | what it is |", "|---|---|---|"] + rows).joined(separator: "\n")]
  }
}

extension Check.Parameter.Kind {
  fileprivate var title: String {
    switch self {
    case .text: "a text"
    case .path: "a path such as `$.body.name`"
    case .integer: "a whole number"
    case .exchange: "an exchange, or `any`"
    case .service: "a service"
    case .label: "the label of a step"
    case .outcome: "the label of a step with an outcome"
    case .handle: "the handle of a callback"
    case .template: "a template"
    case .word(let words): "one of " + words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let kind): "a list, each " + kind.title
    case .object(let members):
      "an object with " + members.map { "`\($0.name)`, \($0.kind.title)" }.joined(separator: "; ")
    }
  }
}
