import NIOCore

/// The clock of an app, confined to the host's loop.
protocol AppClock: AnyObject {
  /// Wall clock in milliseconds since 1970.
  var now: Int { get }
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer
  func stop()
}

/// A clock that stands still until the kit moves it.
final class SteppedClock: AppClock {
  private struct Timer {
    var id: Int
    var due: Double
    var action: () -> Void
  }

  private let epoch: Int
  /// Milliseconds since the launch.
  private var elapsed = 0.0
  private var timers: [Timer] = []
  private var lastID = 0

  init(epoch: Int) { self.epoch = epoch }

  var now: Int { epoch + Int(elapsed) }

  /// When the earliest timer is due, in milliseconds since the launch.
  var next: Double? { timers.map(\.due).min() }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
    lastID += 1
    let id = lastID
    timers.append(Timer(id: id, due: elapsed + Double(max(0, milliseconds)), action: action))
    return AppTimer { [weak self] in self?.timers.removeAll { $0.id == id } }
  }

  /// Moves to an instant, not back, and fires what is due on the way, in the order of time, then of setting.
  func advance(to instant: Double) {
    while let timer = timers.filter({ $0.due <= instant }).min(by: { ($0.due, $0.id) < ($1.due, $1.id) }) {
      timers.removeAll { $0.id == timer.id }
      elapsed = max(elapsed, timer.due)
      timer.action()
    }
    elapsed = max(elapsed, instant)
  }

  func stop() { timers = [] }
}

/// A clock that runs by itself, scaled by a factor.
final class FlowingClock: AppClock {
  private let epoch: Int
  private let scale: Double
  private let loop: any EventLoop
  private let start = ContinuousClock.now
  private var scheduled: [Int: Scheduled<Void>] = [:]
  private var lastID = 0

  init(epoch: Int, scale: Double, loop: any EventLoop) {
    self.epoch = epoch
    self.scale = scale
    self.loop = loop
  }

  var now: Int {
    let passed = (ContinuousClock.now - start).components
    return epoch + Int((Double(passed.seconds) * 1000 + Double(passed.attoseconds) / 1e15) * scale)
  }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
    lastID += 1
    let id = lastID
    let box = NIOLoopBound((self, action), eventLoop: loop)
    let delay = TimeAmount.nanoseconds(Int64(Double(max(0, milliseconds)) * 1e6 / scale))
    scheduled[id] = loop.scheduleTask(in: delay) {
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
