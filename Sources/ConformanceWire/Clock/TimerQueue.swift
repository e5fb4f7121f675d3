import Templates

/// The timers of a clock that stands still until it is moved.
///
/// Timers come due in the order of their instants. Timers with the same instant come due in the order in which they
/// were set.
package struct TimerQueue<Action> {
  fileprivate struct Timer {
    var id: Int
    var due: LogicalTime
    var action: Action
  }

  package private(set) var now = LogicalTime.zero
  private var timers: [Timer] = []
  private var lastID = 0

  package init() {}

  /// The instant of the earliest timer; nil if no timer is set.
  package var nextDue: LogicalTime? { timers.map(\.due).min() }

  /// The number of timers that have not come due.
  package var count: Int { timers.count }

  /// Sets a timer, and returns its number, which ``cancel(_:)`` takes.
  package mutating func set(after delay: LogicalTime, _ action: Action) -> Int {
    lastID += 1
    timers.append(Timer(id: lastID, due: now + delay, action: action))
    return lastID
  }

  package mutating func cancel(_ id: Int) { timers.removeAll { $0.id == id } }

  package mutating func cancelAll() { timers = [] }

  /// Removes the next timer that is due at `instant` or earlier, moves `now` to the instant of this timer, and returns
  /// its action. If no timer is due by then, moves `now` to `instant` and returns nil. `now` never moves back.
  package mutating func takeDue(until instant: LogicalTime) -> Action? {
    let index = timers.indices.filter { timers[$0].due <= instant }
      .min { (timers[$0].due, timers[$0].id) < (timers[$1].due, timers[$1].id) }
    now = max(now, min(index.map { timers[$0].due } ?? instant, instant))
    return index.map { timers.remove(at: $0).action }
  }
}

extension TimerQueue: Sendable where Action: Sendable {}
extension TimerQueue.Timer: Sendable where Action: Sendable {}
