import ConformanceModel

/// The end of a console report: verdicts counted by feature, and the one line that says how the run ended.
struct ConsoleTable {
  /// The columns; each verdict is counted in one.
  private static let columns: [(title: String, dispositions: Set<Disposition>)] = [
    ("pass", [.pass]), ("fail", [.fail, .stale]), ("advisory", [.advisory, .known]), ("unjudged", [.error]),
    ("skipped", [.skipped]),
  ]

  private let record: RunRecord
  private let rulings: [RunRecord.Ruling]
  private let paint: Paint

  init(record: RunRecord, paint: Paint) {
    self.record = record
    self.paint = paint
    rulings = record.distinctRulings
  }

  var lines: [String] {
    if rulings.isEmpty { return [] }
    let rows = Dictionary(grouping: rulings) { $0.rule.feature?.number ?? Int.max }.sorted { $0.key < $1.key }
    let names = rows.map { _, group in
      group[0].rule.feature.map { "\("\($0.number)".aligned(to: 2))  \($0.name)".visibleOnOneLine } ?? " –  no feature"
    }
    let width = names.map(\.count).max() ?? 0
    let titles = Self.columns.map { $0.title.aligned(to: 8) }.joined(separator: "  ")
    let body = zip(names, rows).map { name, row in name.padded(to: width) + "  " + cells(row.value) }
    return [paint(.strong, "feature".padded(to: width) + "  " + titles)] + body
  }

  private func cells(_ group: [RunRecord.Ruling]) -> String {
    Self.columns.map { title, dispositions in
      let count = group.count { dispositions.contains($0.disposition) }
      let text = "\(count)".aligned(to: 8)
      return count == 0 ? paint(.faint, text) : tone(of: title).map { paint($0, text) } ?? text
    }.joined(separator: "  ")
  }

  private func tone(of title: String) -> Paint.Tone? {
    switch title {
    case "fail": .bad
    case "unjudged": .unsure
    case "advisory": .mild
    default: nil
    }
  }

  /// `not conformant: 1 failed, 30 passed; 31 verdicts in 12 cases, 8.2 s`, and before it why the record is partial.
  var summary: [String] {
    let words: [(Disposition, String)] = [
      (.fail, "failed"), (.stale, "stale"), (.error, "unjudged"), (.pass, "passed"), (.advisory, "advisory"),
      (.known, "known"), (.skipped, "skipped"),
    ]
    let parts = words.compactMap { disposition, word in
      let count = rulings.count { $0.disposition == disposition }
      return count > 0 ? "\(count) \(word)" : nil
    }
    let duration = record.end.map { ", \(JUnitSuite.seconds($0.duration.wholeMilliseconds)) s" } ?? ""
    let counts = parts.isEmpty ? "no verdict" : parts.joined(separator: ", ")
    let scope = "\("verdict".counted(rulings.count)) in \("case".counted(record.cases.count))"
    let line = "\(conclusion.text): \(counts); \(scope)\(duration)"
    let partial = record.partiality.map { paint(.unsure, "PARTIAL: \($0); what is missing was not judged") }
    let isEmpty = !rulings.isEmpty && rulings.allSatisfy { $0.disposition == .skipped }
    let empty = isEmpty ? paint(.unsure, "NOTHING JUDGED: every case needs something that the subject lacks") : nil
    return [partial, empty, paint(conclusion.tone, line)].compactMap(\.self)
  }

  private var conclusion: (text: String, tone: Paint.Tone) {
    switch record.end?.exitCode {
    // What was not judged may yet be wrong.
    case .conformant where record.partiality != nil: ("no conclusion", .unsure)
    case .conformant: ("conformant", .good)
    case .violations: ("not conformant", .bad)
    case .badInput: ("bad input", .bad)
    case .unjudged: ("could not be judged", .unsure)
    case .staleBaseline: ("the baseline is stale", .bad)
    case nil: ("no conclusion", .unsure)
    }
  }
}
