import ConformanceWire
import Templates

/// The clock of one case. All its ports use it.
package enum CaseClock: Sendable {
  /// Stands still until the runner moves it.
  case virtual(VirtualClock)
  /// Runs by itself, as fast as time or faster.
  case running(RunningClock)

  package var now: LogicalTime {
    switch self {
    case .virtual(let clock): clock.now
    case .running(let clock): clock.now
    }
  }

  /// The clock on which the mock schedules its delays.
  package var wire: any LogicalClock {
    switch self {
    case .virtual(let clock): clock
    case .running(let clock): clock.time
    }
  }
}
