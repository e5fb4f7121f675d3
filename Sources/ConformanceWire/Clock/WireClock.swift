import NIOCore
import Templates

/// Lets logical time pass for replies that wait.
package protocol WireClock: Sendable {
  /// Runs the action on the loop when so much logical time has passed.
  ///
  /// Called on the loop. The action must run on the loop and not before this call has returned. A clock that is moved
  /// from another thread hops: `loop.submit(action)`, and for an order among several loops it lets each hop end before
  /// it fires the next timer. Cancelling twice, or after the action ran, has no effect; an action that is already on
  /// its way when it is cancelled may still run.
  func schedule(after delay: LogicalTime, on loop: any EventLoop, _ action: @escaping @Sendable () -> Void) -> WireTimer
}

/// A scheduled action that can be called off.
package struct WireTimer: Sendable {
  private let action: @Sendable () -> Void

  package init(_ cancel: @escaping @Sendable () -> Void) { action = cancel }

  package func cancel() { action() }
}
