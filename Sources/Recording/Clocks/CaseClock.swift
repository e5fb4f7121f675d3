import ConformanceWire
import Templates

/// The clock of one case, which all ports of the case use.
package enum CaseClock: Sendable {
  /// A clock that stands still until the runner moves it.
  case virtual(VirtualClock)
  /// A clock that runs by itself, as fast as real time or faster.
  case running(RunningClock)

  package var now: LogicalTime {
    switch self {
    case .virtual(let clock): clock.now
    case .running(let clock): clock.now
    }
  }

  /// The clock with which mocks schedule their delays.
  package var wire: any LogicalClock {
    switch self {
    case .virtual(let clock): clock
    case .running(let clock): clock.time
    }
  }
}
