import ConformanceVerdict
import Records
import TextKit

/// A run record as text for people: lines during the run, then a card for each failure, a table and a summary.
///
/// This is a state machine that writes nothing itself: ``text(for:after:)`` returns the text for each line of the
/// record, and ``conclusion()`` returns the rest.
package struct ConsoleReport: Sendable {
  /// The layout of the text.
  package struct Style: Hashable, Sendable {
    /// Whether the text contains colours. The variable `NO_COLOR` switches them off.
    package var colours: Bool
    /// Whether the text goes to a terminal, on which a progress line can be redrawn.
    package var isTerminal: Bool
    /// The number of columns of a line.
    package var width: Int
    /// The detail of the cards.
    package var cards: Cards

    package init(colours: Bool = false, isTerminal: Bool = false, width: Int = 100, cards: Cards = Cards()) {
      self.colours = colours
      self.isTerminal = isTerminal
      self.width = max(40, width)
      self.cards = cards
    }
  }

  /// The amount of detail in the cards of a report.
  package struct Cards: Hashable, Sendable {
    /// At most this number of cards of failures are shown, and at most the same number of cards of advisory violations.
    /// nil for all cards.
    package var limit: Int?
    /// Whether a card contains only its requirement, its first difference and the command that repeats the case.
    package var areBrief: Bool
    /// Whether every advisory violation has a card. If not, an advisory violation has a card only if its requirement is
    /// a MUST or MUST NOT that is based on a position of the kit.
    package var showAdvisory: Bool

    package init(limit: Int? = nil, areBrief: Bool = false, showAdvisory: Bool = false) {
      self.limit = limit
      self.areBrief = areBrief
      self.showAdvisory = showAdvisory
    }
  }

  private let style: Style
  private let paint: Paint
  private var record: RunRecord?
  private var tally = Tally()
  /// The requirements and missing capabilities that have a line already. Each of them gets only one line, even if
  /// several verdicts report it.
  private var told: Set<String> = []
  /// The number of unjudged requirements that have a line already. One obstacle often leaves many requirements
  /// unjudged.
  private var unjudgedTold = 0
  /// The largest number of lines about unjudged requirements. The last of these lines reports that there are more
  /// requirements.
  private static let mostUnjudged = 10
  /// The number of tenths of the plan that are already reported as done. Without a terminal, the report prints a line
  /// for each tenth in place of a progress line.
  private var tenths = 0
  private var elapsed = Duration.zero

  package init(style: Style = Style()) {
    self.style = style
    paint = Paint(isOn: style.colours)
  }

  /// The text to print for the next line of the record, usually an empty text. `elapsed` is the time since the start of
  /// the run.
  package mutating func text(for line: RunRecord.Line, after elapsed: Duration = .zero) -> String {
    self.elapsed = elapsed
    if case .run(let header) = line {
      record = RunRecord(header: header)
      return intro(header)
    }
    record?.add(line)
    switch line {
    case .run, .end: return ""
    case .subject(let participant): return clearing(intro(participant)) + progress
    case .doubt: return progress
    case .testCase: return style.isTerminal ? progress : milestone()
    case .verdict(let ruling): return note(ruling)
    }
  }

  /// The cards, the table and the summary for the lines that ``text(for:after:)`` has received so far.
  package func conclusion() -> String {
    guard let record else { return "" }
    let rulings = record.distinctRulings
    let groups = FailureGroup.groups(of: rulings)
    let cards = ConsoleCards(
      record: record, rulings: rulings, groups: groups, paint: paint, width: style.width, style: style.cards)
    let table = ConsoleTable(record: record, rulings: rulings, groups: groups, paint: paint, width: style.width)
    let blocks = [cards.lines, table.lines, table.summary].filter { !$0.isEmpty }
    return clearing(blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n"))
  }

  /// The cards, the table and the summary of a record.
  package static func text(of record: RunRecord, style: Style = Style()) -> String {
    var report = ConsoleReport(
      style: Style(colours: style.colours, isTerminal: false, width: style.width, cards: style.cards))
    report.record = record
    return report.conclusion()
  }

  private func intro(_ header: RunRecord.Header) -> String {
    let facts = [
      header.kit, "\(header.protocolName) \(header.specRevision)", "gate \(header.gate.rawValue)",
      "seed \(header.seed)", "case".counted(header.planned), header.part.map { "only in \($0)" },
    ]
    let text = facts.compactMap(\.self).joined(separator: " · ").visibleOnOneLine
    return text.wrapped(at: style.width - 2).enumerated().map { paint(.strong, ($0 == 0 ? "" : "  ") + $1) + "\n" }
      .joined()
  }

  private func intro(_ participant: RunRecord.Participant) -> String {
    let warning = "its adapter answers made-up commands: nothing it says is taken as proof"
    return "\(participant.role) \(participant.text)".visibleOnOneLine
      + (participant.subject.isHonest ? "" : "\n" + paint(.bad, warning)) + "\n"
  }

  private mutating func note(_ ruling: RunRecord.Ruling) -> String {
    tally.add(ruling.disposition)
    let (word, tone): (String, Paint.Tone)
    switch ruling.disposition {
    case .fail: (word, tone) = ("FAIL", .bad)
    case .stale: (word, tone) = ("STALE", .bad)
    case .error: (word, tone) = ("UNJUDGED", .unsure)
    case .pass, .advisory, .known, .skipped: return ""
    }
    guard told.insert(word + (ruling.missingCapability ?? ruling.requirement.rawValue)).inserted else {
      return progress
    }
    if ruling.disposition == .error {
      unjudgedTold += 1
      if unjudgedTold > Self.mostUnjudged { return progress }
      if unjudgedTold == Self.mostUnjudged {
        return clearing(paint(tone, word) + "  further requirements too: the end of this report says why\n") + progress
      }
    }
    let text = "  \(ruling.testName): \(ruling.headline ?? "")".cut(at: style.width - word.count)
    return clearing(paint(tone, word) + text + "\n") + progress
  }

  private var standing: String {
    guard let record else { return "" }
    let (done, planned) = (record.cases.count, record.header.planned)
    let (failed, unjudged) = (tally[[.fail, .stale]], tally[.error])
    let parts = [
      "\("\(planned > 0 ? done * 100 / planned : 100)".aligned(to: 3)) %", "\(done) of \("case".counted(planned))",
      failed > 0 ? "\(failed) failed" : nil, unjudged > 0 ? "\(unjudged) unjudged" : nil,
      record.doubts.isEmpty ? nil : "\(record.doubts.count) in doubt", timing(done, planned),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// The time since the start, and an estimate of the remaining time; nil in the first second.
  private func timing(_ done: Int, _ planned: Int) -> String? {
    let seconds = elapsed.components.seconds
    guard seconds > 0 else { return nil }
    guard done > 0, done < planned else { return "\(seconds) s" }
    return "\(seconds) s, about \(max(1, Int(seconds) * (planned - done) / done)) s left"
  }

  /// The current progress as a line that overwrites the previous progress line on a terminal; empty without a terminal.
  private var progress: String { style.isTerminal ? clearing(paint(.faint, standing.cut(at: style.width - 1))) : "" }

  /// A line about the progress if another tenth of the plan is done; otherwise empty. A plan with less than 100 cases
  /// has no such lines.
  private mutating func milestone() -> String {
    guard let record, record.header.planned >= 100 else { return "" }
    let done = record.cases.count * 10 / record.header.planned
    guard done > tenths else { return "" }
    tenths = done
    return standing + "\n"
  }

  /// The text. On a terminal, it begins with the codes that erase the progress line.
  private func clearing(_ text: String) -> String { style.isTerminal ? "\r\u{1B}[K" + text : text }
}
