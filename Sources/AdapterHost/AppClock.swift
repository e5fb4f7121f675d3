import ConformanceWire
import NIOCore
import Templates

/// The clock of an app. It is used only on the host's event loop.
protocol AppClock: AnyObject {
  /// The wall clock of the app in milliseconds since 1970.
  var now: Int { get }
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer
  func stop()
}

/// A clock that moves only when the kit sends `advance`.
final class SteppedClock: AppClock {
  private let epoch: Int
  private var timers = TimerQueue<() -> Void>()

  init(epoch: Int) { self.epoch = epoch }

  var now: Int { epoch + Int(timers.now.milliseconds) }

  /// The time at which the earliest timer is due, in milliseconds since the launch. Nil without a timer.
  var next: Double? { timers.nextDue?.milliseconds }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
    let id = timers.set(after: .milliseconds(Double(max(0, milliseconds))), action)
    return AppTimer { [weak self] in self?.timers.cancel(id) }
  }

  /// Moves the clock to an instant, but never back. Fires each timer that is due by then, the earliest timer first.
  /// Timers with the same time fire in the order in which they were set.
  func advance(to instant: Double) {
    while let action = timers.takeDue(until: .milliseconds(instant)) { action() }
  }

  func stop() { timers.cancelAll() }
}

/// A clock that runs by itself, scaled by a factor.
final class FlowingClock: AppClock {
  private let epoch: Int
  private let time: ScaledClock
  private let loop: any EventLoop
  private var scheduled: [Int: Scheduled<Void>] = [:]
  private var lastID = 0

  init(epoch: Int, scale: Double, loop: any EventLoop) {
    self.epoch = epoch
    time = ScaledClock(scale: scale)
    self.loop = loop
  }

  var now: Int { epoch + Int(time.now.milliseconds) }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
    lastID += 1
    let id = lastID
    let box = NIOLoopBound((self, action), eventLoop: loop)
    scheduled[id] = loop.scheduleTask(in: time.realTime(of: .milliseconds(Double(max(0, milliseconds))))) {
      let (clock, action) = box.value
      clock.scheduled[id] = nil
      action()
    }
    return AppTimer { [weak self] in self?.scheduled.removeValue(forKey: id)?.cancel() }
  }

  func stop() {
    for timer in scheduled.values { timer.cancel() }
    scheduled = [:]
  }
}
