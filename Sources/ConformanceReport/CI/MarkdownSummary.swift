import ConformanceVerdict
import Records
import TextKit

/// A run record as the Markdown summary of a CI job: the verdict, the table of features, and the cards. The first cards
/// are open, and all other cards are folded.
///
/// The console shows the same cards, in the same order and words. Each card is in a code fence, so that no text in it
/// is read as Markdown or HTML.
package struct MarkdownSummary: Sendable {
  /// The largest size of a summary in bytes. GitHub discards a summary of more than 1 MiB completely.
  static let limit = 1_000_000
  /// The number of cards that are not folded.
  private static let openCards = 5
  /// The largest number of lines in a card, and the largest number of characters in a line.
  private static let cardLimit = (lines: 120, width: 400)

  private let table: ConsoleTable
  private let cards: [[String]]

  package init(_ record: RunRecord) {
    let rulings = record.distinctRulings
    let groups = FailureGroup.groups(of: rulings)
    let paint = Paint(isOn: false)
    table = ConsoleTable(record: record, rulings: rulings, groups: groups, paint: paint, width: 1 << 20)
    cards =
      ConsoleCards(
        record: record, rulings: rulings, groups: groups, paint: paint, width: 100, style: ConsoleReport.Cards()
      ).blocks
  }

  /// The summary, of at most ``limit`` bytes. In place of cards that have no room, the summary contains their number.
  package var text: String {
    let head = (verdict + [""] + features).joined(separator: "\n") + "\n"
    var summary = head.utf8.count > Self.limit / 2 ? "The verdict has no room here: see the record.\n" : head
    var rest = cards[...]
    add(rest.prefix(Self.openCards), to: &summary)
    rest = rest.dropFirst(Self.openCards)
    if !rest.isEmpty {
      summary += "\n<details><summary>\("more card".counted(rest.count))</summary>\n"
      add(rest, to: &summary)
      summary += "\n</details>\n"
    }
    return summary
  }

  /// The summary lines of the console, one paragraph for each. The last of them comes first, and in bold.
  private var verdict: [String] {
    let lines = table.summary.filter { !$0.hasPrefix("  ") }.map { $0.cut(at: 4_000).escapedForMarkdown }
    guard let last = lines.last else { return [] }
    return ["**\(last)**"] + lines.dropLast().flatMap { ["", $0] }
  }

  private var features: [String] {
    let (titles, rows) = table.features
    if rows.isEmpty { return [] }
    let cells = rows.map { [$0.name.cut(at: 200).escapedForMarkdown] + $0.counts.map(String.init) }
    let marks = ["---"] + titles.dropFirst().map { _ in "---:" }
    return ([titles, marks] + cells).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// Adds cards while there is room for another card and for a sentence that contains the number of the rest.
  private func add(_ cards: ArraySlice<[String]>, to summary: inout String) {
    for (index, card) in cards.enumerated() {
      let text = "\n" + Self.fenced(card)
      guard summary.utf8.count + text.utf8.count < Self.limit - 1_000 else {
        summary += "\n\("card".counted(cards.count - index)) have no room here: see the record.\n"
        return
      }
      summary += text
    }
  }

  /// The lines as a code block, at most as many as ``cardLimit`` allows. The fence is longer than each sequence of
  /// backticks in the lines.
  private static func fenced(_ lines: [String]) -> String {
    let more = lines.count - cardLimit.lines
    let shown = lines.prefix(cardLimit.lines).map { $0.cut(at: cardLimit.width) }
    let longest = shown.flatMap { $0.split { $0 != "`" } }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence + "text"] + shown + (more > 0 ? ["… \("line".counted(more)) more"] : []) + [fence, ""])
      .joined(separator: "\n")
  }
}
