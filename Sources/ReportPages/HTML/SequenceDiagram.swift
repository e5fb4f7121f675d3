import ConformanceModel
import ConformanceTranscript
import JSONKit
import Records
import TextKit

/// The conversation of a case as messages between lanes: the app, the subject under test, and each service.
struct SequenceDiagram {
  /// A message from one lane to another, or an event in a single lane. A row without a number describes omitted rows.
  struct Row: Hashable {
    var from: Int
    var to: Int
    var number: Int?
    var text: String
    var isJudged = false
  }

  private(set) var lanes: [String] = []
  private(set) var rows: [Row] = []

  /// The largest number of rows, not counting rows that mark omissions. If there are more, the rows nearest to a judged
  /// row, which a finding names, are shown.
  private static let limit = 24

  /// - Parameters:
  ///   - judged: the numbers of the entries that findings name.
  ///   - definition: the definition of the protocol. In a run with several subjects, it shows which of them calls which
  ///     service.
  init(of transcript: Transcript, judged: Set<Int>, in definition: ProtocolDefinition? = nil) {
    var cast = DiagramCast(of: transcript, in: definition)
    let all = transcript.entries.compactMap { entry -> Row? in
      guard let message = cast.message(of: entry.event, isJudged: judged.contains(entry.number)) else { return nil }
      return Row(
        from: message.from, to: message.to, number: entry.number, text: message.text,
        isJudged: judged.contains(entry.number))
    }
    lanes = cast.lanes
    rows = Self.shortened(Self.folded(all))
  }

  /// The rows without repetitions. If similar rows, or similar groups of rows, occur three or more times in a row, only
  /// the first is kept, and a row with the number of the others follows it. Judged rows are always kept.
  private static func folded(_ rows: [Row]) -> [Row] {
    let repetitions = Repetitions(shapes: rows.map(\.shape))
    var folded: [Row] = []
    var index = 0
    while index < rows.count {
      guard let (length, count) = repetitions.longest(at: index), rows[index..<(index + length)].allSatisfy(\.isPlain)
      else {
        folded.append(rows[index])
        index += 1
        continue
      }
      folded += rows[index..<(index + length)]
      folded.append(gap("… \(count - 1) like \(length == 1 ? "this" : "these")"))
      index += length * count
    }
    return folded
  }

  /// The rows within the limit: the judged rows and their neighbours, or the last rows if no row is judged.
  private static func shortened(_ rows: [Row]) -> [Row] {
    if rows.count <= limit { return rows }
    let judged = rows.indices.filter { rows[$0].isJudged }
    let centres = judged.isEmpty ? [rows.count - 1] : judged
    let order = rows.indices.sorted { one, other in
      (distance(one, centres), one) < (distance(other, centres), other)
    }
    let kept = Set(order.prefix(limit))
    var shown: [Row] = []
    var omitted = 0
    for index in rows.indices {
      if kept.contains(index) {
        if omitted > 0 { shown.append(gap("… \("message".counted(omitted)) more")) }
        omitted = 0
        shown.append(rows[index])
      } else {
        omitted += 1
      }
    }
    return omitted > 0 ? shown + [gap("… \("message".counted(omitted)) more")] : shown
  }

  private static func distance(_ index: Int, _ centres: [Int]) -> Int {
    centres.map { abs($0 - index) }.min() ?? 0
  }

  private static func gap(_ text: String) -> Row { Row(from: 0, to: 0, number: nil, text: text) }
}

extension SequenceDiagram.Row {
  /// The row without its digits. Rows that differ only in digits are similar.
  fileprivate var shape: [String] {
    ["\(from) \(to) \(isJudged)", String(decoding: text.utf8.filter { !(0x30...0x39).contains($0) }, as: UTF8.self)]
  }

  fileprivate var isPlain: Bool { !isJudged }
}

extension SequenceDiagram {
  /// The sizes of the diagram's parts, in user units.
  private static let (gutter, spacing, height, head) = (116, 330, 30, 44)
  /// The width to the right of the last lane, in user units.
  private static let margin = 110
  /// The number of characters of a label that fit between two lanes.
  private static let room = 42

  /// The values of `diagram.mustache`, with the positions of all parts.
  var values: HTMLReport.Values {
    let bottom = Self.head + rows.count * Self.height + 8
    return [
      "width": Self.gutter + (lanes.count - 1) * Self.spacing + Self.margin, "height": bottom, "bottom": bottom - 4,
      "lanes": lanes.indices.map { index in
        ["x": x(index), "lane": lanes[index].visibleOnOneLine.cut(at: 24)] as HTMLReport.Values
      },
      "rows": rows.indices.map { values(of: rows[$0], at: Self.head + ($0 + 1) * Self.height - 8) },
    ]
  }

  private func values(of row: Row, at y: Int) -> HTMLReport.Values {
    let isNote = row.from == row.to
    let (from, to) = (x(row.from), x(row.to))
    let side = to > from ? -1 : 1
    // An event of one lane is drawn beside it, on the side with more room.
    let isLast = row.from == lanes.count - 1 && lanes.count > 1
    var values: HTMLReport.Values = [
      "y": y, "textY": y - 6, "x1": from, "x2": to + side * 7,
      "middle": isNote ? (isLast ? from - 8 : from + 8) : (from + to) / 2,
      "anchor": isNote ? (isLast ? "end" : "start") : "middle",
      "tip": "\(to),\(y) \(to + side * 8),\(y - 4) \(to + side * 8),\(y + 4)", "isArrow": !isNote,
      "isJudged": row.isJudged, "label": row.text.visibleOnOneLine.cut(at: max(1, abs(row.from - row.to)) * Self.room),
      "whole": row.text.visibleOnOneLine.cut(at: 1000), "entry": row.number.map { "#\($0)" } ?? "",
    ]
    if row.isJudged { values["pill"] = y - 18 }
    return values
  }

  private func x(_ lane: Int) -> Int { Self.gutter + lane * Self.spacing }
}
