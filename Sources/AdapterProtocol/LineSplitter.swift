import JSONKit

/// Splits a stream of bytes, which arrives in pieces of any size, into lines at 0x0A. Each byte is examined once.
package struct LineSplitter {
  /// A line of a stream.
  package enum Line: Hashable {
    /// A line without its end.
    case whole([UInt8])
    /// The beginning of a line that is longer than the limit; the rest of the line is skipped.
    case tooLong(beginning: [UInt8])
  }

  private let limit: Int?
  private var held: [UInt8] = []
  private var isSkipping = false

  /// - Parameter limit: the longest line in bytes; nil for no limit.
  package init(limit: Int?) { self.limit = limit }

  /// The bytes of an unfinished line.
  package var rest: [UInt8] { held }

  /// Adds a piece of the stream. Returns the lines that end in this piece, in order.
  package mutating func lines(in piece: some Collection<UInt8>) -> [Line] {
    let piece = Array(piece)
    var lines: [Line] = []
    var start = 0
    while let end = piece.firstLineFeed(from: start) {
      if let refusal = hold(piece[start..<end]) { lines.append(refusal) }
      if !isSkipping { lines.append(.whole(held)) }
      held = []
      isSkipping = false
      start = end + 1
    }
    if let refusal = hold(piece[start...]) { lines.append(refusal) }
    return lines
  }

  /// Adds the bytes to the current line. If the line becomes too long, returns its beginning as
  /// ``Line/tooLong(beginning:)``.
  private mutating func hold(_ bytes: some Collection<UInt8>) -> Line? {
    if isSkipping { return nil }
    guard let limit else {
      held.append(contentsOf: bytes)
      return nil
    }
    held.append(contentsOf: bytes.prefix(limit + 1 - held.count))
    guard held.count > limit else { return nil }
    let beginning = Array(held.prefix(VisibleBytes.limit))
    held = []
    isSkipping = true
    return .tooLong(beginning: beginning)
  }
}
