import Glibc
import Synchronization

/// Port numbers, none twice in this process before all have had their turn.
///
/// They lie below those that the system gives to outgoing connections. Thousands of these linger in TIME_WAIT after a
/// run, and a system that is asked for any free number passes all of them by: that took a fifth of a run's time. A
/// client that knocks late finds nobody who has taken over its number meanwhile, too.
final class PortNumbers: Sendable {
  /// For servers of this process.
  static let own = PortNumbers(0..<11_000)
  /// For programs that are told of one (``LentPort``): what no server of the kit takes before they listen.
  static let lent = PortNumbers(11_000..<count)

  private static let count = 12_000

  private let share: Range<Int>
  private let next: Atomic<Int>

  private init(_ share: Range<Int>) {
    self.share = share
    next = Atomic(Int.random(in: 0..<share.count))
  }

  /// The next number; nil where outgoing connections leave no room below theirs.
  func take() -> Int? {
    guard let range = Self.range else { return nil }
    return range.lowerBound + share.lowerBound + next.wrappingAdd(1, ordering: .relaxed).oldValue % share.count
  }

  private static let range = range(below: "/proc/sys/net/ipv4/ip_local_port_range")

  /// Source: ip(7), "ip_local_port_range". Below 10000 live the services that people know by number.
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
