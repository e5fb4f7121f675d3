import AdapterProtocol
import HTTPValues

/// The output of an adapter on stderr. All bytes are counted, the last bytes are kept, and the first bytes are reported
/// line by line.
package struct ErrorOutput: Hashable, Sendable {
  /// The number of bytes above which an unfinished line is reported.
  private static let longestHeldLine = 8 << 10

  /// The number of bytes that the adapter has written.
  package private(set) var total = 0
  private let limit: Int
  /// The last bytes, up to twice the limit. They are cut only then, so that each byte has a constant cost.
  private(set) var recent: [UInt8] = []
  private var held: [UInt8] = []
  private var reported = 0

  /// - Parameter limit: the number of last bytes that are kept, and the largest number of bytes that are reported for
  ///   one app.
  package init(limit: Int) { self.limit = limit }

  /// The last bytes, up to the limit.
  package var tail: Octets { Octets(recent.suffix(limit)) }

  /// The last four lines, for the text of a failure; empty if nothing was written.
  package var lastWords: String {
    lastLines.joined(separator: " | ")
  }

  /// The last four lines in visible form.
  package var lastLines: [String] {
    tail.text.split(whereSeparator: \.isNewline).suffix(4).map { VisibleBytes.text(Array($0.utf8)) }
  }

  /// Adds bytes that were read. Returns the bytes to report: whole lines, until the limit is reached. nil if nothing is
  /// to be reported now.
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

  /// Returns the unfinished line, which the caller reports. Returns nil if all lines are finished, or if the limit is
  /// reached.
  package mutating func flush() -> Octets? {
    let bytes = held.prefix(limit - reported)
    held = []
    reported += bytes.count
    return bytes.isEmpty ? nil : Octets(bytes)
  }

  /// Resets the number of reported bytes. Called when another app begins.
  package mutating func beginAnew() { reported = 0 }
}
