import ConformanceWire
import NIOCore
import NIOPosix
import Processes
import Synchronization
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
  package var wire: any WireClock {
    switch self {
    case .virtual(let clock): clock
    case .running(let clock): clock.wire
    }
  }
}

/// A clock that runs from its creation, scaled by a factor.
package final class RunningClock: Sendable {
  /// Something that goes off after a time unless it is cancelled.
  package struct Alarm {
    package var number: Int
    fileprivate var timer: WireTimer

    package func cancel() { timer.cancel() }
  }

  let scale: Double
  let wire: RealClock
  private let start = ContinuousClock.now
  private let lastNumber = Mutex(0)
  private let loop: any EventLoop

  package init(scale: Double, group: any EventLoopGroup) {
    self.scale = scale
    wire = RealClock(scale: scale)
    loop = group.next()
  }

  package var now: LogicalTime {
    let passed = (ContinuousClock.now - start).components
    let milliseconds = Double(passed.seconds) * 1000 + Double(passed.attoseconds) / 1e15
    return .milliseconds(milliseconds * scale)
  }

  /// The delay that a busy machine explains, on this clock.
  package var lateness: LogicalTime { .milliseconds(Pulse.busyMachine / .milliseconds(1) * scale) }

  /// Sets an alarm that the recorder's waiters can see.
  package func alarm(after span: LogicalTime, recorder: Recorder) -> Alarm {
    let number = lastNumber.withLock { number in
      number += 1
      return number
    }
    let timer = wire.schedule(after: span, on: loop) {
      recorder.change { _ = $0.alarms.insert(number) }
    }
    return Alarm(number: number, timer: timer)
  }
}
