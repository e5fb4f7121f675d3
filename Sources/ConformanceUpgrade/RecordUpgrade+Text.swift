import ConformanceModel
import ConformanceVerdict
import JSONKit
import TextKit

extension RecordUpgrade {
  /// The forms in which a comparison can be printed.
  package enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  /// The comparison in a format, with a line end.
  package func text(_ format: Format) -> String {
    switch format {
    case .text: lines.map { $0.visibleOnOneLine + "\n" }.joined()
    case .json: json.prettyText + "\n"
    }
  }

  /// One line, such as `380 verdicts recomputed: 2 worse, 1 other change, 377 the same; 12 cases must run again`.
  package var summary: String {
    let worse = changes.count(where: \.isWorse)
    let recomputed = unchanged + changes.count { $0.new != nil }
    return "\(Self.count(recomputed, "verdict")) recomputed: \(worse) worse, "
      + "\(Self.count(changes.count - worse, "other change")), \(unchanged) the same; "
      + "\(Self.count(open.count, "case")) must run again"
  }

  private var lines: [String] {
    let head =
      ["subject: \(subjects.joined(separator: ", "))", "revision: \(old.text) → \(new.text)"]
      + (selectionProblem.map { ["the whole suite is compared: the pack does not know the selection (\($0))"] } ?? [])
    let worse = section("WORSE", changes.filter(\.isWorse).flatMap(Self.lines))
    let other = section("OTHER CHANGES", changes.filter { !$0.isWorse }.flatMap(Self.lines))
    let rules = RequirementChange.Kind.allCases.flatMap { kind in
      section("\(kind.rawValue.uppercased()) REQUIREMENTS", requirements.filter { $0.kind == kind }.flatMap(\.lines))
    }
    let again = OpenCase.Reason.allCases.flatMap { reason in
      section(
        "MUST RUN AGAIN: \(reason.rawValue)", open.filter { $0.reason == reason }.map { "  \($0.instance)" })
    }
    let gone = section("CASES THAT ARE GONE", gone.map { "  \($0)" })
    return head + worse + other + rules + again + gone + ["", summary]
      + (open.isEmpty ? [] : ["run again: \(rerun)"])
  }

  private func section(_ title: String, _ lines: [String]) -> [String] { lines.isEmpty ? [] : ["", title] + lines }

  private static func lines(_ change: Change) -> [String] {
    let words = [change.old, change.new].map { $0?.rawValue ?? "not asked" }.joined(separator: " → ")
    return ["  \(change.requirement)  \(change.instance): \(words)"] + (change.text.map { ["    \($0)"] } ?? [])
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)" + (number == 1 ? "" : "s") }

  /// The comparison as a JSON object: `upgrade` is the version of its format (1), and the other members contain the
  /// same facts as the text.
  package var json: JSON {
    [
      "upgrade": 1, "old": old.json, "new": new.json, "subjects": .strings(subjects),
      "changes": .array(changes.map(\.json)), "unchanged": .int(unchanged),
      "requirements": .array(requirements.map(\.json)),
      "open": .array(
        open.map { ["case": .string($0.instance.description), "reason": .string($0.reason.rawValue)] }),
      "gone": .strings(gone.map(\.description)), "selectionProblem": selectionProblem.map(JSON.string) ?? .null,
      "rerun": .string(rerun),
    ]
  }
}

extension PackRevision {
  fileprivate var json: JSON {
    .object(compact: [
      ("kit", kit.map(JSON.string)), ("revision", .string(revision)), ("packDigest", .string(digest)),
    ])
  }
}

extension RecordUpgrade.Change {
  fileprivate var json: JSON {
    .object(compact: [
      ("requirement", .string(requirement.rawValue)), ("case", .string(instance.description)),
      ("old", old.map { .string($0.rawValue) }), ("new", new.map { .string($0.rawValue) }),
      ("worse", .bool(isWorse)), ("text", text.map(JSON.string)),
    ])
  }
}

extension RequirementChange {
  /// The lines about the change of a requirement, with its old and its new sentence.
  fileprivate var lines: [String] {
    switch kind {
    case .new, .stricter, .weaker, .reworded:
      let levels = [old, new].compactMap { $0.map { "\($0.level.rawValue) (\($0.basis.rawValue))" } }
      let words = Set(levels).count == 1 ? levels[0] : levels.joined(separator: " → ")
      return ["  \(id)  \(words): \(new?.text ?? "")"]
        + (kind == .reworded || old?.text != new?.text ? old.map { ["    before: \($0.text)"] } ?? [] : [])
    case .gone:
      return ["  \(id)  \(old?.level.rawValue ?? ""): \(old?.text ?? "")"] + (reason.map { ["    \($0)"] } ?? [])
    }
  }

  fileprivate var json: JSON {
    .object(compact: [
      ("kind", .string(kind.rawValue)), ("id", .string(id.rawValue)), ("old", old?.json), ("new", new?.json),
      ("reason", reason.map(JSON.string)),
    ])
  }
}

extension RequirementChange.Terms {
  fileprivate var json: JSON {
    ["level": .string(level.rawValue), "basis": .string(basis.rawValue), "text": .string(text)]
  }
}
