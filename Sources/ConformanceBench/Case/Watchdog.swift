import NIOCore
import NIOPosix
import Processes
import Synchronization

/// Calls a closure once when a case takes too long in real time. Neither the pauses that the steps of the case demand
/// nor the time in which the kit could not run counts.
final class Watchdog: Sendable {
  private enum State {
    case awake(Scheduled<Void>?)
    /// Since this instant, no time counts, because a person looks at the paused case.
    case held(since: Heartbeat.Instant)
    case asleep
  }

  private let state = Mutex(State.awake(nil))
  private let deadline: Mutex<Heartbeat.Instant>
  private let now: @Sendable () -> Heartbeat.Instant
  private let bark: @Sendable () -> Void

  init(
    limit: Duration, allowance: Duration, now: @escaping @Sendable () -> Heartbeat.Instant = { Heartbeat.shared.now },
    bark: @escaping @Sendable (String) -> Void
  ) {
    deadline = Mutex(now().advanced(by: limit + allowance))
    self.now = now
    self.bark = {
      let extra = allowance > .zero ? " beside the \(allowance) for which it waits itself" : ""
      bark(
        "the case took longer than \(limit)\(extra); the subject is still active, or --time-limit is too short")
    }
    look()
  }

  /// Calls the closure if the deadline has passed. Otherwise schedules the next check.
  private func look() {
    let left = now().duration(to: deadline.withLock(\.self))
    let isTime = state.withLock { state in
      guard case .awake = state else { return false }
      if left <= .zero {
        state = .asleep
        return true
      }
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      state = .awake(loop.scheduleTask(in: TimeAmount(left)) { self.look() })
      return false
    }
    if isTime { bark() }
  }

  /// Extends the deadline, because the case waits for a subject that has shown that it is alive.
  func allow(_ more: Duration) { deadline.withLock { $0 = $0.advanced(by: more) } }

  /// Stops counting the time until ``release()``.
  func hold() {
    let now = now()
    state.withLock { state in
      guard case .awake(let timer) = state else { return }
      timer?.cancel()
      state = .held(since: now)
    }
  }

  /// Counts the time again from now on.
  func release() {
    let now = now()
    let begin = state.withLock { state -> Heartbeat.Instant? in
      guard case .held(let begin) = state else { return nil }
      state = .awake(nil)
      return begin
    }
    guard let begin else { return }
    allow(begin.duration(to: now))
    look()
  }

  func cancel() {
    state.withLock { state in
      if case .awake(let timer) = state { timer?.cancel() }
      state = .asleep
    }
  }
}
