import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit

/// The step-by-step account of a case: the steps in words, and below each step the messages on the wire. `>` marks
/// steps with findings.
///
/// ```
///   2  trackRevenue 'sale' {"amount":9.99} → null
/// > 3  await
///      #13 → api POST /api/sdk/v1/event
///          $.body.eventData: {"amount":"9.99"}
///      …
/// ```
package struct CaseStory: Sendable {
  /// The largest number of lines of the account, including lines that mark omissions. Key steps are never omitted, even
  /// if the account then has more lines. Lines with findings take precedence over other lines.
  package var limit: Int
  /// The largest number of characters in a line of the account.
  package var width: Int

  package init(limit: Int = 12, width: Int = 140) {
    self.limit = limit
    self.width = width
  }

  /// The importance of a line. If there are too many lines, the least important lines are omitted.
  private enum Weight: Int, Comparable {
    case finding, key, context, ending, step, wire, log

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private struct Line {
    var texts: [String]
    var weight: Weight

    /// The line without its digits, for the search for repetitions: lines that differ only in digits count as equal.
    var shape: [String] {
      ["\(weight)"] + texts.map { String(decoding: $0.utf8.filter { !(0x30...0x39).contains($0) }, as: UTF8.self) }
    }
  }

  /// The lines of the account of a transcript, with `>` before each step with findings.
  package func lines(of transcript: Transcript, _ findings: [Finding]) -> [String] {
    let cited = Set(findings.flatMap(\.entries))
    let places = Dictionary(
      findings.flatMap { finding in finding.entries.map { ($0, [CitedPlaces(of: finding)]) } }, uniquingKeysWith: +)
    let hasDied = transcript.ending?.kind != .completed
    let near = cited.union(exchanges(of: transcript, with: cited))
    let messages = CitedMessages(of: transcript, places)
    let steps = PlayedStep.all(of: transcript).filter { $0.mark != nil || !$0.happenings.isEmpty }
    let keys = KeySteps(of: findings).places(in: steps)
    var lines: [Line] = []
    for step in steps {
      let isMarked = !step.numbers.isDisjoint(with: cited)
      let heading = (isMarked ? "> " : "  ") + step.heading(text)
      lines.append(Line(texts: [heading], weight: isMarked ? .finding : keys[step.first] != nil ? .key : .step))
      for entry in step.happenings {
        let weight = weight(of: entry, cited, near, isMarked, keys[step.first] ?? false, hasDied)
        lines.append(Line(texts: happening(entry, messages.values(of: entry)), weight: weight))
      }
    }
    return render(folded(lines))
  }

  /// The lines without repetitions. If a line, or a group of lines, occurs three or more times in a row with the same
  /// shape, the first one is kept. A line with the number of the others follows it.
  private func folded(_ lines: [Line]) -> [Line] {
    let repetitions = Repetitions(shapes: lines.map(\.shape))
    var folded: [Line] = []
    var index = 0
    while index < lines.count {
      guard let (length, count) = repetitions.longest(at: index) else {
        folded.append(lines[index])
        index += 1
        continue
      }
      folded += lines[index..<(index + length)]
      let weight = lines[index..<(index + length)].map(\.weight).min() ?? .wire
      folded.append(Line(texts: ["  … \(count - 1) like \(length == 1 ? "this" : "these")"], weight: weight))
      index += length * count
    }
    return folded
  }

  /// The entries that belong to the cited entries: the responses to cited requests, and the requests of cited
  /// responses.
  private func exchanges(of transcript: Transcript, with cited: Set<Int>) -> Set<Int> {
    var open: [Int: Int] = [:]
    var near: Set<Int> = []
    for entry in transcript.entries {
      switch entry.event {
      case .request(_, let record): open[record.connection] = entry.number
      case .sent(_, _, let record): open[record.connection] = entry.number
      case .response(_, let record), .received(_, let record):
        guard let request = open[record.connection] else { continue }
        if cited.contains(request) { near.insert(entry.number) }
        if cited.contains(entry.number) { near.insert(request) }
      default: break
      }
    }
    return near
  }

  private func weight(
    of entry: TranscriptEntry, _ cited: Set<Int>, _ near: Set<Int>, _ isMarked: Bool, _ isNamed: Bool, _ hasDied: Bool
  ) -> Weight {
    if cited.contains(entry.number) { return .finding }
    if near.contains(entry.number) { return .context }
    switch entry.event {
    // The output of a subject that continues to run is a log.
    case .output where !hasDied: return .log
    case .request where isNamed, .response where isNamed, .sent where isNamed, .received where isNamed,
      .callback where isNamed:
      return .context
    case .end, .output, .breach, .process(.exited), .process(.signalled): return .ending
    default: return isMarked ? .step : .wire
    }
  }

  private var text: EntryText { EntryText(width: width) }

  /// The lines about an entry. If `places` is not empty, these are only the first line of the message and the values at
  /// the first of these places.
  private func happening(_ entry: TranscriptEntry, _ places: [CitedPlaces.Place]) -> [String] {
    let number = "     #\(entry.number) "
    if case .output(let octets) = entry.event { return stderr(octets).map { number + "stderr: " + $0 } }
    guard !places.isEmpty, let head = text.head(of: entry.event) else { return [number + text.text(of: entry.event)] }
    let margin = String(repeating: " ", count: number.count + 2)
    return [number + head] + places.prefix(Self.mostPlaces).map { margin + "\($0.path): \(text.shown($0.value))" }
  }

  /// The largest number of places of a message that the account shows.
  private static let mostPlaces = 3

  /// The last lines of a text that a subject has written to stderr.
  private func stderr(_ octets: Octets) -> [String] {
    octets.text.split(whereSeparator: \.isNewline).suffix(limit / 2).map { String($0.prefix(width)).visibleOnOneLine }
  }

  /// The distance of each line from the nearest line with a finding. If no line has a finding, the distance from the
  /// last line.
  private func distances(of lines: [Line]) -> [Int] {
    var distances = Array(repeating: lines.count, count: lines.count)
    var last: Int?
    for index in lines.indices {
      if lines[index].weight == .finding { last = index }
      if let last { distances[index] = index - last }
    }
    var next = last == nil ? lines.count : nil
    for index in lines.indices.reversed() {
      if lines[index].weight == .finding { next = index }
      if let next { distances[index] = min(distances[index], next - index) }
    }
    return distances
  }

  private func render(_ lines: [Line]) -> [String] {
    let distances = distances(of: lines)
    let order = lines.indices.sorted {
      (lines[$0].weight, distances[$0], $0) < (lines[$1].weight, distances[$1], $1)
    }
    // As long as no line is kept, all lines are one gap, and the mark of this gap takes one line.
    var room = limit - 1
    var kept: Set<Int> = []
    for index in order {
      let gaps = [index - 1, index + 1].count { lines.indices.contains($0) && !kept.contains($0) }
      let taken = lines[index].texts.count + gaps - 1
      guard taken <= room || lines[index].weight == .key else { continue }
      room -= taken
      kept.insert(index)
    }
    var shown: [String] = []
    for index in lines.indices {
      if kept.contains(index) {
        shown += lines[index].texts.map { $0.cut(at: width) }
      } else if shown.last != "  …" {
        shown.append("  …")
      }
    }
    return Self.folded(shown)
  }

  /// The shown lines without repetitions. When lines are omitted, the lines that are left can form new repetitions, so
  /// this function looks for them afterwards.
  private static func folded(_ lines: [String]) -> [String] {
    // A marked line stays, since the differences refer to it.
    let shapes = lines.enumerated().map { index, line in
      if line.hasPrefix(">") { return "\(index)" }
      return String(decoding: line.utf8.filter { !(0x30...0x39).contains($0) }, as: UTF8.self)
    }
    let repetitions = Repetitions(shapes: shapes)
    var folded: [String] = []
    var index = 0
    while index < lines.count {
      guard let (length, count) = repetitions.longest(at: index), length < lines.count else {
        folded.append(lines[index])
        index += 1
        continue
      }
      folded += lines[index..<(index + length)] + ["  … \(count - 1) like \(length == 1 ? "this" : "these")"]
      index += length * count
    }
    return folded
  }
}
