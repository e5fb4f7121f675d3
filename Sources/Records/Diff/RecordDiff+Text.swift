import JSONKit
import TextKit

extension RecordDiff {
  /// The formats in which the changes between two records are printed.
  package enum Format: String, CaseIterable, Sendable {
    case text, markdown, json
  }

  /// The changes in this format, with a line end.
  package func text(_ format: Format) -> String {
    switch format {
    case .text: lines.joined(separator: "\n") + "\n"
    case .markdown: markdown
    case .json: json.prettyText + "\n"
    }
  }

  /// The number of changes of each kind, such as `2 worse, 1 better, 0 new, 3 gone, 94 unchanged`.
  package var summary: String {
    let counts = Dictionary(grouping: changes, by: \.kind).mapValues(\.count)
    return (Kind.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" } + ["\(unchanged) unchanged"])
      .joined(separator: ", ")
  }

  private var lines: [String] {
    let head = facts.filter { !$0.isSame || $0.name == "subject" }.map { "\($0.name): \($0.text)".visibleOnOneLine }
    let parts = Kind.allCases.flatMap { kind -> [String] in
      let changes = changes(kind)
      return changes.isEmpty ? [] : ["", kind.rawValue.uppercased()] + changes.flatMap(\.lines)
    }
    return head + parts + ["", summary]
  }

  private var markdown: String {
    let facts = facts.filter { !$0.isSame || $0.name == "subject" }.map {
      "- \($0.name): \($0.text.escapedForMarkdown)"
    }
    let parts = Kind.allCases.flatMap { kind -> [String] in
      let changes = changes(kind)
      if changes.isEmpty { return [] }
      return ["", "### \(kind.title)", "", "| requirement | case | verdict | why | |", "|---|---|---|---|---|"]
        + changes.map { change in
          let cells = [
            change.requirement.rawValue, change.instance.title, change.transition, change.cause.explanation,
            change.text ?? "",
          ]
          return "| " + cells.map(\.escapedForMarkdown).joined(separator: " | ") + " |"
        }
    }
    return (["**\(summary)**", ""] + facts + parts).joined(separator: "\n") + "\n"
  }

  /// The changes as a JSON object: `{"diff": 1, "facts": […], "changes": […], "unchanged"}`.
  package var json: JSON {
    [
      "diff": 1,
      "facts": .array(
        facts.map { ["name": .string($0.name), "old": .string($0.old), "new": .string($0.new)] }),
      "changes": .array(changes.map(\.representation)), "unchanged": .int(unchanged),
    ]
  }
}

extension RecordDiff.Fact {
  /// The old and the new value, such as `1.0 → 1.1`. If they are equal, the value appears once.
  fileprivate var text: String {
    if isSame { return old }
    return [old, new].map { $0.isEmpty ? "none" : $0 }.joined(separator: " → ")
  }
}

extension RecordDiff.Kind {
  fileprivate var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension RecordDiff.Cause {
  /// The cause of the change, as a text for people.
  fileprivate var explanation: String {
    switch self {
    case .subject: "the subject"
    case .kit: "another text of the case or requirement"
    case .terms: "another gate, baseline or position"
    case .selection: "another selection"
    case .incomplete: "a run that did not come that far"
    }
  }
}

extension RecordDiff.Change: JSONObjectEncodable {
  /// The old and the new disposition, such as `pass → fail`.
  fileprivate var transition: String {
    [old, new].map { $0?.rawValue ?? "none" }.joined(separator: " → ")
  }

  fileprivate var lines: [String] {
    let why = cause == .subject ? "" : " (\(cause.explanation))"
    let head = "  \(requirement)  \(instance.title): \(transition)\(why)".visibleOnOneLine
    return [head] + (text.map { kind == .gone ? [] : ["    \($0.visibleOnOneLine)"] } ?? [])
  }

  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("kind", kind.rawValue)
    members.add("requirement", requirement.rawValue)
    members.add("instance", instance)
    members.add("old", old?.rawValue)
    members.add("new", new?.rawValue)
    members.add("cause", cause.rawValue)
    members.add("text", text)
  }
}
