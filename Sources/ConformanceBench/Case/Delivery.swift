import ConformanceModel
import ConformanceWire
import JSONKit
import NIOPosix
import Synchronization

/// Brings what a subject did into the record of one case: at once, or as late as a bend has it.
///
/// A bend that delays or reorders leaves the subject alone, which believes that all has come.
final class Delivery: Sendable {
  /// What waits for the next one of its kind.
  private struct Waiting {
    var view: JSON
    var whose: String
    var write: @Sendable (_ isLate: Bool) -> Void
  }

  private struct State {
    /// How many there were that could be exchanged.
    var count = 0
    var waiting: Waiting?
    /// What comes later, by number, and the timers that it waits for.
    var delayed: Set<Int> = []
    var timers: [Int: WireTimer] = [:]
    var lastNumber = 0
  }

  private let bender: Bender?
  private let clock: CaseClock
  private let recorder: Recorder
  private let state = Mutex(State())

  init(bender: Bender?, clock: CaseClock, recorder: Recorder) {
    self.bender = bender
    self.clock = clock
    self.recorder = recorder
  }

  /// Writes down what the subject did.
  ///
  /// - Parameters:
  ///   - whose: what tells it from another one that looks the same: the handle of a callback, the number of a command.
  ///   - mayWait: whether another one can follow before this one is known. What nobody waits for always may.
  ///   - write: hears whether it comes later than it was done.
  func deliver(
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

  /// Ends what is on its way: what was to come later never comes, and what has no next one comes last.
  func end() {
    let ended = state.withLock { state in
      defer { (state.delayed, state.timers, state.waiting) = ([], [:], nil) }
      return state
    }
    for timer in ended.timers.values { timer.cancel() }
    if !ended.delayed.isEmpty { recorder.change { $0.late -= ended.delayed.count } }
    ended.waiting?.write(true)
  }
}
