import Glibc
import Synchronization

/// Port numbers for servers of this process, none twice before all have had their turn.
///
/// They lie below those that the system gives to outgoing connections. Thousands of these linger in TIME_WAIT after a
/// run, and a system that is asked for any free number passes all of them by: that took a fifth of a run's time. A
/// client that knocks late finds nobody who has taken over its number meanwhile, too.
enum PortNumbers {
  private static let count = 12_000
  private static let next = Atomic(Int.random(in: 0..<count))

  /// The next number; nil where outgoing connections leave no room below theirs.
  static func take() -> Int? {
    guard let range else { return nil }
    return range.lowerBound + next.wrappingAdd(1, ordering: .relaxed).oldValue % count
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
