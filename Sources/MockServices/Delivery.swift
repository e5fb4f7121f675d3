import ConformanceModel
import ConformanceWire
import JSONKit
import NIOPosix
import Recording
import Synchronization
import Templates

/// Records the actions of a subject in one case: at once, or delayed by a mutation.
///
/// A mutation that delays or reorders changes only the record, so the subject does not notice it.
package final class Delivery: Sendable {
  /// An event that is recorded after the next event to which the same mutation applies.
  private struct Waiting {
    var view: JSON
    var whose: String
    var write: @Sendable (_ isLate: Bool) -> Void
  }

  private struct State {
    /// The number of events so far to which a reordering mutation applied.
    var count = 0
    var waiting: Waiting?
    /// The delayed events by number, and their timers.
    var delayed: Set<Int> = []
    var timers: [Int: WireTimer] = [:]
    var lastNumber = 0
  }

  private let bender: Bender?
  private let clock: CaseClock
  private let recorder: Recorder
  private let state = Mutex(State())

  package init(bender: Bender?, clock: CaseClock, recorder: Recorder) {
    self.bender = bender
    self.clock = clock
    self.recorder = recorder
  }

  /// Records an action of the subject.
  ///
  /// - Parameters:
  ///   - whose: distinguishes events with the same view: the handle of a callback, or the number of a command.
  ///   - mayWait: whether the kit may record the next event before this one. False if the kit waits for this event.
  ///   - write: records the event. Its argument is whether the event is recorded later than it happened.
  package func deliver(
    _ subject: Defect.Bend.Subject, of name: String?, _ view: @autoclosure () -> JSON, whose: String = "",
    mayWait: Bool = true,
    _ write: @escaping @Sendable (_ isLate: Bool) -> Void
  ) {
    guard let bender else { return write(false) }
    let view = view()
    switch bender.lateness(of: view, as: subject, named: name) {
    case nil: write(false)
    case .delayed(let span): deliver(after: span, write)
    case .exchanged(let number): exchange(number, Waiting(view: view, whose: whose, write: write), mayWait)
    }
  }

  private func deliver(after span: LogicalTime, _ write: @escaping @Sendable (Bool) -> Void) {
    bender?.noteChange()
    recorder.change { $0.late += 1 }
    let number = state.withLock { state in
      state.lastNumber += 1
      state.delayed.insert(state.lastNumber)
      return state.lastNumber
    }
    let timer = clock.wire.schedule(after: span, on: MultiThreadedEventLoopGroup.singleton.any()) { [self] in
      let isDue = state.withLock { state in
        state.timers[number] = nil
        return state.delayed.remove(number) != nil
      }
      guard isDue else { return }
      write(true)
      recorder.change { $0.late -= 1 }
    }
    state.withLock { if $0.delayed.contains(number) { $0.timers[number] = timer } }
  }

  private func exchange(_ number: Int, _ present: Waiting, _ mayWait: Bool) {
    let (waits, former) = state.withLock { state -> (Bool, Waiting?) in
      state.count += 1
      if state.count == number, mayWait {
        state.waiting = present
        return (true, nil)
      }
      return (false, state.waiting.take())
    }
    guard !waits else { return }
    present.write(false)
    guard let former else { return }
    former.write(true)
    if former.view != present.view || former.whose != present.whose { bender?.noteChange() }
  }

  /// Ends the delivery. Delayed events are dropped. An event that waits for the next event is recorded now.
  package func end() {
    let ended = state.withLock { state in
      defer { (state.delayed, state.timers, state.waiting) = ([], [:], nil) }
      return state
    }
    for timer in ended.timers.values { timer.cancel() }
    if !ended.delayed.isEmpty { recorder.change { $0.late -= ended.delayed.count } }
    ended.waiting?.write(true)
  }
}
