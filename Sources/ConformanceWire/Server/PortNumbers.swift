import Glibc
import Synchronization

/// A range of port numbers. This process uses no number again before it has used all other numbers of the range.
///
/// The numbers are below the range that the system uses for outgoing connections. Thousands of outgoing connections
/// stay in TIME_WAIT after a run. When the system chooses a free number, it must skip the numbers of all these
/// connections. This search took a fifth of a run's time. The late reuse of numbers has another advantage: a client
/// that connects late does not find another server on the number.
final class PortNumbers: Sendable {
  /// The numbers for servers of the kit.
  static let own = PortNumbers(0..<11_000)
  /// The numbers for other programs (``LentPort``). Servers of the kit do not take them.
  static let lent = PortNumbers(11_000..<count)

  private static let count = 12_000

  private let share: Range<Int>
  private let next: Atomic<Int>

  private init(_ share: Range<Int>) {
    self.share = share
    next = Atomic(Int.random(in: 0..<share.count))
  }

  /// The next number; nil if the system's range for outgoing connections leaves no room below it.
  func take() -> Int? {
    guard let range = Self.range else { return nil }
    return range.lowerBound + share.lowerBound + next.wrappingAdd(1, ordering: .relaxed).oldValue % share.count
  }

  private static let range = range(below: "/proc/sys/net/ipv4/ip_local_port_range")

  /// The ``count`` numbers directly below the range for outgoing connections, which `file` contains; nil if they would
  /// reach below 10000, where well-known services are. Source: ip(7), "ip_local_port_range".
  private static func range(below file: String) -> Range<Int>? {
    guard let stream = fopen(file, "r") else { return nil }
    defer { fclose(stream) }
    var buffer = [CChar](repeating: 0, count: 64)
    guard let line = fgets(&buffer, CInt(buffer.count), stream) else { return nil }
    let first = String(cString: line).split { $0 == "\t" || $0 == " " }.first.flatMap { Int($0) }
    guard let first, first - count >= 10_000 else { return nil }
    return first - count..<first
  }
}
