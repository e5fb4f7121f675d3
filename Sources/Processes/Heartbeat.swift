import Glibc
import Synchronization

/// Notices when the kit itself cannot run, so that no program is blamed for time that it could not use.
///
/// Deadlines for adapters and other programs are on its ``now``, a clock that stands still while the kit does.
package final class Heartbeat: Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// The heartbeat of this process. It beats from its first use on.
  package static let shared = Heartbeat()

  /// nil if no thread could be started for it: then all time counts.
  private let pulse: Mutex<Pulse?>

  private init() {
    pulse = Mutex(Pulse(at: .now))
    let hasThread = OwnThread.run { [weak self] in
      while let self {
        usleep(UInt32(Pulse.interval / .microseconds(1)))
        self.pulse.withLock { $0?.beat(at: .now) }
      }
    }
    if !hasThread { pulse.withLock { $0 = nil } }
  }

  /// The part of the time since an instant that the kit could not use, because it was stopped or the machine was
  /// overloaded.
  package func starved(since start: Instant) -> Duration {
    pulse.withLock { $0?.starved(since: start, at: .now) ?? .zero }
  }

  /// The present on the clock that stands still while the kit does. Compare it only with instants of the same clock.
  package var now: Instant { pulse.withLock { $0?.runningTime(at: .now) ?? .now } }
}
