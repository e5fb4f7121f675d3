import Glibc
import Synchronization

/// Detects when the kit itself cannot run, so that this time does not count against the time limits of programs.
///
/// Deadlines for adapters and other programs are instants of ``now``, a clock that stops while the kit cannot run.
package final class Heartbeat: Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// The heartbeat of this process. It starts at its first use.
  package static let shared = Heartbeat()

  /// The spans in which the kit could not run; nil if no thread could be started to measure the spans. Without measured
  /// spans, all time counts.
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

  /// The present time of the clock that stops while the kit cannot run. Compare it only with instants of the same
  /// clock.
  package var now: Instant { pulse.withLock { $0?.runningTime(at: .now) ?? .now } }
}
