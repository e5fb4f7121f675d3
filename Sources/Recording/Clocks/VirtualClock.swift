import ConformanceWire
import NIOCore
import Synchronization
import Templates

/// A clock that stands still until the runner moves it.
///
/// Timers fire in the order of their due times. Timers with the same time fire in the order in which they were set.
/// Each fires on its own event loop, and moving the clock returns once they have run.
package final class VirtualClock: WireClock, Sendable {
  private struct Timer: Sendable {
    var id: Int
    var due: LogicalTime
    var loop: any EventLoop
    var action: @Sendable () -> Void
  }

  private struct State {
    var now = LogicalTime.zero
    var timers: [Timer] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var now: LogicalTime { state.withLock(\.now) }

  /// When the earliest timer is due; nil without one.
  package var nextDue: LogicalTime? { state.withLock { $0.timers.map(\.due).min() } }

  package func schedule(
    after delay: LogicalTime, on loop: any EventLoop, _ action: @escaping @Sendable () -> Void
  ) -> WireTimer {
    let id = state.withLock { state in
      state.lastID += 1
      state.timers.append(Timer(id: state.lastID, due: state.now + delay, loop: loop, action: action))
      return state.lastID
    }
    return WireTimer { [weak self] in
      self?.state.withLock { $0.timers.removeAll { $0.id == id } }
    }
  }

  /// Moves the clock forward to an instant, and runs the timers that are due on the way.
  package func advance(to instant: LogicalTime) async {
    while let timer = takeDue(until: instant) {
      // After the loop was shut down, nothing waits for the timer.
      try? await timer.loop.submit { timer.action() }.get()
    }
  }

  private func takeDue(until instant: LogicalTime) -> Timer? {
    state.withLock { state in
      let due = state.timers.filter { $0.due <= instant }.min { ($0.due, $0.id) < ($1.due, $1.id) }
      state.now = max(state.now, min(due?.due ?? instant, instant))
      if let due { state.timers.removeAll { $0.id == due.id } }
      return due
    }
  }
}
