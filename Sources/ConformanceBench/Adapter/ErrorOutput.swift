import AdapterProtocol
import ConformanceModel

/// What an adapter wrote to stderr: all of it counted, its end kept, its beginning reported line by line.
package struct ErrorOutput: Hashable, Sendable {
  /// Bytes of a line without an end that are held back before they are reported anyway.
  private static let longestHeldLine = 8 << 10

  /// How many bytes were written.
  package private(set) var total = 0
  private let limit: Int
  /// The last bytes, at most twice the limit, so that cutting costs a constant for each byte.
  private(set) var recent: [UInt8] = []
  private var held: [UInt8] = []
  private var reported = 0

  /// - Parameter limit: how many bytes are kept, and how many are reported between two calls of `beginAnew`.
  init(limit: Int) { self.limit = limit }

  /// The last bytes, at most as many as the limit.
  package var tail: Octets { Octets(recent.suffix(limit)) }

  /// The last lines, for a sentence about what went wrong; empty when nothing was written.
  package var lastWords: String {
    let lines = tail.text.split(whereSeparator: \.isNewline).suffix(4)
    return lines.map { VisibleBytes.text(Array($0.utf8)) }.joined(separator: " | ")
  }

  /// Takes what was read, and gives what there is to report: whole lines, as long as the limit is not used up.
  mutating func read(_ bytes: some Collection<UInt8>) -> Octets? {
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

  /// What is held back of a line without an end.
  mutating func flush() -> Octets? {
    let bytes = held.prefix(limit - reported)
    held = []
    reported += bytes.count
    return bytes.isEmpty ? nil : Octets(bytes)
  }

  /// Lets as much be reported as at the start: another app begins.
  mutating func beginAnew() { reported = 0 }
}
