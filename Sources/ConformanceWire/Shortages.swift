import Glibc
import NIOCore
import Synchronization

/// Shortages of files, ports or memory that prevented this process from making or accepting connections. The machine
/// causes them, not the subject at the other end of the connection.
package final class Shortages: Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// The shortages of this process.
  package static let shared = Shortages()

  private let last = Mutex<(code: CInt, at: Instant)?>(nil)

  package init() {}

  /// Records the error if a shortage caused it.
  package func note(_ error: any Error, at now: Instant = .now) {
    guard let code = (error as? IOError)?.errnoCode, Self.codes.contains(code) else { return }
    last.withLock { $0 = (code, now) }
  }

  /// The errno of the last shortage since an instant; nil without a shortage since then.
  package func code(since start: Instant) -> CInt? {
    last.withLock { last in last.flatMap { $0.at >= start ? $0.code : nil } }
  }

  /// The errnos of accept(2), socket(2) and connect(2) for a lack of files, ports or memory.
  private static let codes: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL]
}
