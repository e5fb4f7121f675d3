import ConformanceModel

/// Lets logical time pass: as fast as the subject comes to rest with a virtual clock, as time does otherwise.
///
/// With a virtual clock the subject is *at rest* when its adapter says so, at an instant, while the mock holds as many
/// requests as it told the adapter. Only then is the clock moved, and only to the next thing that is due.
struct Pacer: Sendable {
  let recorder: Recorder
  let clock: CaseClock
  /// Puts a ``RestQuestion``; gives its number, nil when no app runs that could be asked.
  let ask: @Sendable (_ instant: LogicalTime) -> Int?
  /// Lets the mocks release what they hold for clients that have left. A request that the subject gave up would stand
  /// for a new one that is still on its way, as long as its mock has not seen its connection end.
  let noticeDepartures: @Sendable () async -> Void
  /// The longest pause that the subject declares to make before it tries something again.
  var retryWindow: LogicalTime?

  /// Returns true as soon as the condition holds; false when the limit is reached, or nothing is left that could happen
  /// within it. With a virtual clock the latter comes at once, and the clock stays at the last thing that happened.
  func pass(until isDone: @escaping @Sendable (Recorder.State) -> Bool, limit: LogicalTime) async -> Bool {
    switch clock {
    case .virtual(let virtual): await pass(virtual, until: isDone, deadline: virtual.now + limit)
    case .running: await pass(running: limit, until: isDone)
    }
  }

  /// Lets everything finish that is going to happen within the time. With a clock that runs that takes all of the time,
  /// unless ``Stillness`` knows better.
  func settle(within span: LogicalTime) async {
    switch clock {
    case .virtual: _ = await pass(until: { _ in false }, limit: span)
    case .running where span == .zero: return
    case .running(let running):
      let deadline = running.now + span
      while recorder.stop == nil {
        let (seen, isAtRest, still) = recorder.read { state in
          (state.entries.count, state.isAtRest, Stillness(state.entries).end(retryWindow: retryWindow))
        }
        let end = isAtRest ? min(deadline, still ?? deadline) : deadline
        guard running.now < end else { return }
        _ = await pass(
          running: end - running.now, until: { $0.entries.count > seen || $0.isAtRest != isAtRest })
      }
    }
  }

  /// Lets the time pass, all of it.
  func advance(by span: LogicalTime) async {
    switch clock {
    case .virtual(let virtual):
      let target = virtual.now + span
      _ = await pass(virtual, until: { _ in false }, deadline: target)
      await move(virtual, to: target)
      _ = await pass(virtual, until: { _ in false }, deadline: target)
    case .running: _ = await pass(running: span, until: { _ in false })
    }
  }

  private func move(_ clock: VirtualClock, to instant: LogicalTime) async {
    guard instant > clock.now else { return }
    await clock.advance(to: instant)
    recorder.record(.clock(instant))
  }

  private func pass(
    _ virtual: VirtualClock, until isDone: @escaping @Sendable (Recorder.State) -> Bool, deadline: LogicalTime
  ) async -> Bool {
    while true {
      let isFinished = recorder.read { isDone($0) ? true : $0.stop == nil ? nil : false }
      if let isFinished { return isFinished }
      guard let rest = await rest(virtual, isDone) else { continue }
      let next = [rest.next, virtual.nextDue].compactMap(\.self).min()
      guard let next, next <= deadline else { return false }
      // An answer moves the clock once: a timer that is said to be due and never fires is asked about again.
      recorder.change { $0.question = nil }
      await move(virtual, to: next)
    }
  }

  /// The subject's answer once it is at rest at this instant; nil when something else came first.
  private func rest(
    _ virtual: VirtualClock, _ isDone: @escaping @Sendable (Recorder.State) -> Bool
  ) async -> RestQuestion.Answer? {
    let standing = recorder.read(\.question).flatMap { $0.instant == virtual.now ? $0.number : nil }
    guard let number = standing ?? ask(virtual.now) else { return RestQuestion.Answer(next: nil) }
    await recorder.wait { isDone($0) || $0.question?.number != number || $0.question?.answer != nil }
    if recorder.read(\.held) > 0 { await noticeDepartures() }
    return recorder.read { state in
      guard state.stop == nil, !isDone(state), let question = state.question, question.number == number else {
        return nil
      }
      return question.answer
    }
  }

  private func pass(
    running span: LogicalTime, until isDone: @escaping @Sendable (Recorder.State) -> Bool
  ) async -> Bool {
    guard case .running(let running) = clock else { return false }
    let alarm = running.alarm(after: span, recorder: recorder)
    await recorder.wait { isDone($0) || $0.alarms.contains(alarm.number) }
    alarm.cancel()
    return recorder.read(isDone)
  }
}
