import NIOCore
import NIOPosix
import Templates

/// A clock of logical time, on which actions can be scheduled.
package protocol LogicalClock: Clock where Instant == LogicalTime {
  /// Runs the action on the loop after this much logical time.
  ///
  /// This method is called on the loop. An implementation must run the action on the loop, and only after this method
  /// has returned. If a different thread moves the clock, the clock submits the action to the loop
  /// (`loop.submit(action)`). It then waits until the action has run before it starts the action of the next timer, so
  /// that timers on several loops keep their order. Cancelling a timer twice, or after its action ran, has no effect.
  /// An action that was already submitted when its timer is cancelled may still run.
  func schedule(after delay: LogicalTime, on loop: any EventLoop, _ action: @escaping @Sendable () -> Void) -> WireTimer
}

extension LogicalClock {
  package var minimumResolution: LogicalTime { .milliseconds(1e-6) }

  /// Returns once the clock has reached the deadline.
  package func sleep(until deadline: LogicalTime, tolerance: LogicalTime?) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let woken = loop.makePromise(of: Void.self)
    let timer = loop.submit { schedule(after: max(.zero, deadline - now), on: loop) { woken.succeed() } }
    try await withTaskCancellationHandler {
      try await woken.futureResult.get()
    } onCancel: {
      timer.whenSuccess { $0.cancel() }
      woken.fail(CancellationError())
    }
  }
}

/// A scheduled action that can be cancelled.
package struct WireTimer: Sendable {
  private let action: @Sendable () -> Void

  package init(_ cancel: @escaping @Sendable () -> Void) { action = cancel }

  package func cancel() { action() }
}
