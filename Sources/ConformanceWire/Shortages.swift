import Glibc
import NIOCore
import Synchronization

/// What this process ran out of while connections were made or taken: nobody's fault but the machine's, and not seen by
/// whoever waits at the other end.
package final class Shortages: Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// Those of this process.
  package static let shared = Shortages()

  private let last = Mutex<(code: CInt, at: Instant)?>(nil)

  package init() {}

  /// Takes note of an error that says that something has run out; any other is nobody's business here.
  package func note(_ error: any Error, at now: Instant = .now) {
    guard let code = (error as? IOError)?.errnoCode, Self.codes.contains(code) else { return }
    last.withLock { $0 = (code, now) }
  }

  /// The errno of the last shortage since an instant; nil when there was none.
  package func code(since start: Instant) -> CInt? {
    last.withLock { last in last.flatMap { $0.at >= start ? $0.code : nil } }
  }

  /// Those with which accept(2), socket(2) and connect(2) say that files, ports or memory have run out.
  private static let codes: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL]
}
