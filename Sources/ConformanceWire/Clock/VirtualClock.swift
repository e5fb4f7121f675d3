import NIOCore
import Synchronization
import Templates

/// A clock that stands still until the runner moves it.
///
/// Each timer fires on its own event loop. ``advance(to:)`` returns once all timers that became due have run.
package final class VirtualClock: LogicalClock {
  private typealias Firing = @Sendable () async -> Void

  private let timers = Mutex(TimerQueue<Firing>())

  package init() {}

  package var now: LogicalTime { timers.withLock(\.now) }

  /// The instant of the earliest timer; nil if no timer is set.
  package var nextDue: LogicalTime? { timers.withLock(\.nextDue) }

  /// The number of timers that have not fired.
  package var pending: Int { timers.withLock(\.count) }

  package func schedule(
    after delay: LogicalTime, on loop: any EventLoop, _ action: @escaping @Sendable () -> Void
  ) -> WireTimer {
    // After the loop was shut down, nothing waits for the timer.
    let id = timers.withLock { $0.set(after: delay) { try? await loop.submit(action).get() } }
    return WireTimer { [weak self] in
      self?.timers.withLock { $0.cancel(id) }
    }
  }

  /// Moves the clock forward to an instant, and runs the timers that are due on the way.
  package func advance(to instant: LogicalTime) async {
    while let fire = timers.withLock({ $0.takeDue(until: instant) }) { await fire() }
  }
}
