import ConformanceVerdict
import Records
import TextKit

/// A run record as text for people: lines while it runs, then a card for each failure, a table and a summary.
///
/// A state machine without output: each line of the record returns the text to print, and ``conclusion()`` returns the
/// rest.
package struct ConsoleReport: Sendable {
  /// The layout of the text.
  package struct Style: Hashable, Sendable {
    /// Whether colours may be used; see `NO_COLOR`.
    package var colours: Bool
    /// Whether the text goes to a terminal, on which a progress line can be redrawn.
    package var isTerminal: Bool
    /// The number of columns of a line.
    package var width: Int
    /// The content of the cards.
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
    /// The most cards; nil for all.
    package var limit: Int?
    /// Whether a card contains only its requirement, its first difference and the command that repeats it.
    package var areBrief: Bool
    /// Whether advisory findings have cards.
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
  /// The requirements and missing capabilities that were reported already. Each has one line, and not one for each
  /// verdict.
  private var told: Set<String> = []
  /// The number of reported requirements that could not be judged. One obstacle often leaves many unjudged.
  private var unjudgedTold = 0
  /// The most unjudged requirements with a line. The last line says that there are more.
  private static let mostUnjudged = 10
  /// The number of tenths of the plan that were reported. Without a progress line each tenth has a line.
  private var tenths = 0
  private var elapsed = Duration.zero

  package init(style: Style = Style()) {
    self.style = style
    paint = Paint(isOn: style.colours)
  }

  /// The text to print for this line of the record, at a time after the start; usually empty.
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

  /// Cards, table and summary of all lines so far.
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

  /// Cards, table and summary of a record.
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
    return paint(.strong, facts.compactMap(\.self).joined(separator: " · ").visibleOnOneLine) + "\n"
  }

  private func intro(_ participant: RunRecord.Participant) -> String {
    let subject = participant.subject
    let about = [subject.language, subject.platform].compactMap(\.self).joined(separator: ", ")
    let text = "\(participant.role) \(subject.name) \(subject.version)" + (about.isEmpty ? "" : " (\(about))")
    let warning = "its adapter answers made-up commands: nothing it says is taken as proof"
    return text.visibleOnOneLine + (subject.isHonest ? "" : "\n" + paint(.bad, warning)) + "\n"
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

  /// The time so far, and an estimate of the rest from the cases so far; nil in the first second.
  private func timing(_ done: Int, _ planned: Int) -> String? {
    let seconds = elapsed.components.seconds
    guard seconds > 0 else { return nil }
    guard done > 0, done < planned else { return "\(seconds) s" }
    return "\(seconds) s, about \(max(1, Int(seconds) * (planned - done) / done)) s left"
  }

  /// The progress line of a terminal. It replaces the last one.
  private var progress: String { style.isTerminal ? clearing(paint(.faint, standing.cut(at: style.width - 1))) : "" }

  /// A line each time that a tenth of a long plan is done, without a progress line.
  private mutating func milestone() -> String {
    guard let record, record.header.planned >= 100 else { return "" }
    let done = record.cases.count * 10 / record.header.planned
    guard done > tenths else { return "" }
    tenths = done
    return standing + "\n"
  }

  /// The text in place of the progress line.
  private func clearing(_ text: String) -> String { style.isTerminal ? "\r\u{1B}[K" + text : text }
}
