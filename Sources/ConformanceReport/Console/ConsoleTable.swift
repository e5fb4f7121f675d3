import ConformanceVerdict
import Records
import TextKit

/// The end of a console report: a table with the number of verdicts for each feature, and the summary with the result
/// of the run.
package struct ConsoleTable {
  /// A column of the table. Each verdict counts in exactly one column.
  package struct Column: Sendable {
    package var title: String
    package var disposition: Disposition
    var tone: Paint.Tone?
    /// Whether the column counts verdicts that occur only in a run with a baseline. Such a column is left out if it
    /// counts no verdict.
    var isOfBaseline = false
  }

  private static let allColumns: [Column] = [
    .init(title: "pass", disposition: .pass), .init(title: "fail", disposition: .fail, tone: .bad),
    .init(title: "known", disposition: .known, tone: .mild, isOfBaseline: true),
    .init(title: "stale", disposition: .stale, tone: .bad, isOfBaseline: true),
    .init(title: "advisory", disposition: .advisory, tone: .mild),
    .init(title: "unjudged", disposition: .error, tone: .unsure), .init(title: "skipped", disposition: .skipped),
  ]

  /// The columns of this table.
  package let columns: [Column]

  private let record: RunRecord
  private let groups: [FailureGroup]
  private let rulings: [RunRecord.Ruling]
  private let paint: Paint
  private let width: Int

  package init(record: RunRecord, rulings: [RunRecord.Ruling], groups: [FailureGroup], paint: Paint, width: Int) {
    self.record = record
    self.groups = groups
    self.width = width
    self.paint = paint
    self.rulings = rulings
    let dispositions = Set(rulings.map(\.disposition))
    columns = Self.allColumns.filter { !$0.isOfBaseline || dispositions.contains($0.disposition) }
  }

  /// The titles of the columns, and one row for each feature, which contains the number of the feature's verdicts for
  /// each column.
  package var features: (titles: [String], rows: [(name: String, counts: [Int])]) {
    let rows = Dictionary(grouping: rulings) { $0.rule.feature?.number ?? Int.max }.sorted { $0.key < $1.key }
    let names = rows.map { _, group in
      group[0].rule.feature.map { "\("\($0.number)".aligned(to: 2))  \($0.name)".visibleOnOneLine } ?? " –  no feature"
    }
    let counts = rows.map { _, group in columns.map { Tally(group.map(\.disposition))[$0.disposition] } }
    return (["feature"] + columns.map(\.title), Array(zip(names, counts)))
  }

  package var lines: [String] {
    if rulings.isEmpty { return [] }
    let (titles, rows) = features
    // Figures have a fixed width; a long name is truncated.
    let room = width - columns.count * 10
    let table = ColumnTable(
      [titles] + rows.map { [$0.name.cut(at: room)] + $0.counts.map(String.init) },
      columns: [.init()] + columns.map { _ in .init(isAlignedRight: true, minimumWidth: 8) })
    let (head, body) = (table.lines[0], table.cells.dropFirst())
    return [paint(.strong, head)] + zip(body, rows.map(\.counts)).map(painted)
  }

  /// The cells of a row as one line. Each number has the colour of its column.
  private func painted(_ cells: [String], _ counts: [Int]) -> String {
    let figures = zip(cells.dropFirst(), zip(columns, counts)).map { text, column in
      column.1 == 0 ? paint(.faint, text) : column.0.tone.map { paint($0, text) } ?? text
    }
    return (cells.prefix(1) + figures).joined(separator: ColumnTable.gap)
  }

  /// The notes of the run, the reasons why it is incomplete, the sentences about cases that are left out and
  /// requirements without a case, the result (see ``verdict``), and the requirements that failed.
  package var summary: [String] {
    let conclusion = record.conclusion
    let notes = record.end?.notes.flatMap { told(.mild, $0) } ?? []
    let reasons = conclusion.reasons.flatMap { told(.unsure, "INCOMPLETE: \($0)") }
    return notes + reasons + leftOut + withoutCase + told(conclusion.word.shown.tone, verdict) + failures
  }

  /// The result of the run in one sentence, such as `not conformant: 3 failed (2 by the documents, 1 by positions), 30
  /// passed; 33 verdicts in 12 cases, 8.2 s`.
  package var verdict: String {
    let words: [(Disposition, String)] = [
      (.fail, "failed"), (.stale, "stale"), (.error, "unjudged"), (.pass, "passed"), (.advisory, "advisory"),
      (.known, "known"), (.skipped, "skipped"),
    ]
    let parts = words.compactMap { disposition, word in
      let chosen = rulings.filter { $0.disposition == disposition }
      return chosen.isEmpty ? nil : "\(chosen.count) \(word)" + Self.origin(of: chosen)
    }
    let duration = record.end.map { ", \(JUnitSuite.seconds($0.duration.wholeMilliseconds)) s" } ?? ""
    let counts = parts.isEmpty ? "no verdict" : parts.joined(separator: ", ")
    let scope = "\("verdict".counted(rulings.count)) in \("case".counted(record.cases.count))"
    let name = record.conclusion.word.shown.text
    let word = record.header.part.map { "\(name) in \($0)" } ?? name
    return "\(word): \(counts); \(scope)\(duration)"
  }

  /// A sentence in wrapped lines.
  private func told(_ tone: Paint.Tone, _ text: String) -> [String] {
    text.visibleOnOneLine.wrapped(at: width - 2).enumerated().map { index, line in
      paint(tone, (index == 0 ? "" : "  ") + line)
    }
  }

  /// The requirements that failed: one line for each cause. The line begins with the requirement on the card of the
  /// cause.
  private var failures: [String] {
    let limit = 8
    let lines = groups.prefix(limit).flatMap { group in
      let others = group.followers.map(\.requirement.rawValue)
      let more = others.isEmpty ? "" : " with " + others.joined(separator: ", ")
      let lines = hanging("\(group.lead.requirement) \(group.lead.rulings[0].instance.name)\(more)")
      let first = "  \(group.lead.requirement)".visibleOnOneLine
      return lines.prefix(1).map { $0.hasPrefix(first) ? first + " " + $0.dropFirst(first.count) : $0 }
        + lines.dropFirst()
    }
    let rest = groups.dropFirst(limit).flatMap { [$0.lead.requirement] + $0.followers.map(\.requirement) }
    let names = rest.map(\.rawValue).joined(separator: ", ")
    return lines + (rest.isEmpty ? [] : hanging("… \(groups.count - limit) more: \(names)"))
  }

  /// A text in wrapped lines. The first line is indented, and the other lines are indented further.
  private func hanging(_ text: String) -> [String] {
    text.visibleOnOneLine.wrapped(at: width - 7).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
  }

  /// A sentence about the cases that were left out: they need a mock server, and an SDK and a server are tested
  /// together.
  private var leftOut: [String] {
    let counts = record.header.leftOut.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if counts.isEmpty { return [] }
    let words = counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let count = counts.reduce(0) { $0 + $1.value }
    return told(.mild, "LEFT OUT: \("case".counted(count)) of the SDK that only a mock server can serve: \(words)")
  }

  /// A sentence about the requirements without a case, which have neither passed nor failed.
  private var withoutCase: [String] {
    let rules = record.header.withoutCase
    if rules.isEmpty { return [] }
    return told(.unsure, "NOT JUDGED: \("requirement".counted(rules.count)) without a case here: \(rules.list)")
  }

  /// The number of violations for each kind of basis of their requirements, such as ` (2 by the documents, 1 by
  /// positions)`. Empty if none of the requirements has a position as its basis.
  private static func origin(of rulings: [RunRecord.Ruling]) -> String {
    guard let disposition = rulings.first?.disposition, [.fail, .advisory, .known].contains(disposition) else {
      return ""
    }
    let positions = rulings.count { $0.rule.level.isRequired && $0.rule.basis == .position }
    guard positions > 0 else { return "" }
    let others = rulings.count - positions
    let rest = disposition == .fail ? "by the documents" : "otherwise"
    return others > 0 ? " (\(others) \(rest), \(positions) by positions)" : " (all by positions)"
  }
}

extension Conclusion.Word {
  /// The text for people, and its colour.
  fileprivate var shown: (text: String, tone: Paint.Tone) {
    switch self {
    case .conformant: ("conformant", .good)
    case .known: ("conformant but for what the baseline knows", .mild)
    case .notConformant: ("not conformant", .bad)
    case .unjudged: ("could not be judged", .unsure)
    case .incomplete: ("incomplete", .unsure)
    case .staleBaseline: ("the baseline is stale", .bad)
    }
  }
}
