import Glibc
import Synchronization

/// Port numbers. None is used twice in this process before all others were used.
///
/// The numbers are below the range that the system uses for outgoing connections. Thousands of these stay in TIME_WAIT
/// after a run, and a system that is asked for any free number passes over all of them, which took a fifth of a run's
/// time. Also, a client that connects late does not find another server on the number.
final class PortNumbers: Sendable {
  /// The numbers for servers of this process.
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

  /// The next number; nil if the range of outgoing connections leaves no room below.
  func take() -> Int? {
    guard let range = Self.range else { return nil }
    return range.lowerBound + share.lowerBound + next.wrappingAdd(1, ordering: .relaxed).oldValue % share.count
  }

  private static let range = range(below: "/proc/sys/net/ipv4/ip_local_port_range")

  /// Source: ip(7), "ip_local_port_range". Well-known services use numbers below 10000.
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
