import NIOCore
import Templates

/// Real time, or real time that runs faster: a wait takes its logical time divided by the scale.
package struct RealClock: WireClock {
  /// The number of logical seconds in a real one.
  package let scale: Double

  /// The scale must be above zero.
  package init(scale: Double = 1) {
    precondition(scale > 0, "a clock of scale \(scale) would never get anywhere")
    self.scale = scale
  }

  package func schedule(
    after delay: LogicalTime, on loop: any EventLoop, _ action: @escaping @Sendable () -> Void
  ) -> WireTimer {
    let task = loop.scheduleTask(in: realTime(of: delay), action)
    return WireTimer { task.cancel() }
  }

  /// The real time of a logical time, at most a century, because nanoseconds are counted in 64 bits.
  func realTime(of delay: LogicalTime) -> TimeAmount {
    let century = 3.2e18
    return .nanoseconds(Int64(min(max(0, delay.milliseconds * 1_000_000 / scale), century)))
  }
}
