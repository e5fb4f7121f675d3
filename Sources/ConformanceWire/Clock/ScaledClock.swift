import NIOCore
import Templates

/// A clock that starts when it is created, and runs at the speed of real time multiplied by a factor.
package struct ScaledClock: LogicalClock {
  /// The number of logical seconds in a real second.
  package let scale: Double
  private let start = ContinuousClock.now

  /// `scale` must be above zero.
  package init(scale: Double = 1) {
    precondition(scale > 0, "a clock of scale \(scale) would never get anywhere")
    self.scale = scale
  }

  package var now: LogicalTime { .milliseconds((ContinuousClock.now - start) / .milliseconds(1) * scale) }

  package func schedule(
    after delay: LogicalTime, on loop: any EventLoop, _ action: @escaping @Sendable () -> Void
  ) -> WireTimer {
    let task = loop.scheduleTask(in: realTime(of: delay), action)
    return WireTimer { task.cancel() }
  }

  /// The real duration of a span of logical time. It is limited to a century, because `TimeAmount` counts nanoseconds
  /// in 64 bits.
  package func realTime(of delay: LogicalTime) -> TimeAmount {
    let century = 3.2e18
    return .nanoseconds(Int64(min(max(0, delay.milliseconds * 1_000_000 / scale), century)))
  }
}
