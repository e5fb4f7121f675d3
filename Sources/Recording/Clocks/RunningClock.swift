import ConformanceWire
import NIOCore
import Processes
import Synchronization
import Templates

/// A clock of a case. It runs by itself, and its alarms wake the waiters of the recorder.
package final class RunningClock: Sendable {
  /// An alarm that goes off after a time unless it is cancelled.
  package struct Alarm {
    package var number: Int
    fileprivate var timer: WireTimer

    package func cancel() { timer.cancel() }
  }

  package let time: ScaledClock
  private let lastNumber = Mutex(0)
  private let loop: any EventLoop

  package init(scale: Double, group: any EventLoopGroup) {
    time = ScaledClock(scale: scale)
    loop = group.next()
  }

  package var now: LogicalTime { time.now }

  /// The longest delay that is normal on a busy machine, in time of this clock.
  package var lateness: LogicalTime { .milliseconds(Pulse.busyMachine / .milliseconds(1) * time.scale) }

  /// Sets an alarm. When it goes off, its number is added to the recorder's state, where waiters can see it.
  package func alarm(after span: LogicalTime, recorder: Recorder) -> Alarm {
    let number = lastNumber.withLock { number in
      number += 1
      return number
    }
    let timer = time.schedule(after: span, on: loop) {
      recorder.change { _ = $0.alarms.insert(number) }
    }
    return Alarm(number: number, timer: timer)
  }
}
