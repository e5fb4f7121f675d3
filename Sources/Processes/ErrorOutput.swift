import AdapterProtocol
import HTTPValues

/// The output of an adapter on stderr. All bytes are counted, the end is kept, and the beginning is reported line by
/// line.
package struct ErrorOutput: Hashable, Sendable {
  /// The number of bytes of an unfinished line that are held back before they are reported.
  private static let longestHeldLine = 8 << 10

  /// The number of bytes that were written.
  package private(set) var total = 0
  private let limit: Int
  /// The last bytes, at most twice the limit, so that trimming has a constant cost per byte.
  private(set) var recent: [UInt8] = []
  private var held: [UInt8] = []
  private var reported = 0

  /// - Parameter limit: the number of bytes that are kept, and the number that is reported between two calls of
  ///   `beginAnew`.
  package init(limit: Int) { self.limit = limit }

  /// The last bytes, at most as many as the limit.
  package var tail: Octets { Octets(recent.suffix(limit)) }

  /// The last lines, for a sentence about a failure; empty if nothing was written.
  package var lastWords: String {
    let lines = tail.text.split(whereSeparator: \.isNewline).suffix(4)
    return lines.map { VisibleBytes.text(Array($0.utf8)) }.joined(separator: " | ")
  }

  /// Takes bytes that were read. Returns the bytes to report: whole lines, until the limit is reached.
  package mutating func read(_ bytes: some Collection<UInt8>) -> Octets? {
    total += bytes.count
    recent.append(contentsOf: bytes)
    if recent.count > 2 * limit { recent.removeFirst(recent.count - limit) }
    guard reported + held.count < limit else { return flush() }
    held.append(contentsOf: bytes)
    guard let end = held.lastIndex(of: 0x0A) else { return held.count > Self.longestHeldLine ? flush() : nil }
    let rest = Array(held[(end + 1)...])
    held.removeSubrange((end + 1)...)
    defer { held = rest }
    return flush()
  }

  /// Returns the bytes of the unfinished line that are held back.
  package mutating func flush() -> Octets? {
    let bytes = held.prefix(limit - reported)
    held = []
    reported += bytes.count
    return bytes.isEmpty ? nil : Octets(bytes)
  }

  /// Resets the count of reported bytes, for another app.
  package mutating func beginAnew() { reported = 0 }
}
