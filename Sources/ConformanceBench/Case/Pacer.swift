import ConformanceWire
import Recording
import Templates

/// Lets logical time pass. The kit moves a virtual clock whenever the subject is at rest. Other clocks run by
/// themselves.
///
/// With a virtual clock the subject is *at rest* when two conditions hold: its adapter reports that the app waits only
/// for the responses to a number of requests, and the mock holds exactly this number of requests. Only then does the
/// kit move the clock, and only to the next instant at which something is due.
struct Pacer: Sendable {
  /// Checks that a subject is alive, in cases with a running clock. With a virtual clock, the adapter's reports that
  /// the app is at rest already show this.
  struct SignsOfLife: Sendable {
    /// If the subject does not reply for this time, the kit makes the check.
    var interval: LogicalTime
    /// Sends `ping`, and returns true when the subject has replied. If it does not reply, the case is stopped. Returns
    /// false if no process runs.
    var ask: @Sendable () async -> Bool
    /// Called when the subject has shown during a wait that it is alive.
    var seen: @Sendable () -> Void
  }

  let recorder: Recorder
  let clock: CaseClock
  /// Sends a ``RestQuestion``. Returns its number, or nil if no app runs.
  let ask: @Sendable (_ instant: LogicalTime) -> Int?
  /// Lets the mocks release requests whose clients have closed the connection. Otherwise, the mocks would count such a
  /// request as held, although the subject has already given it up and sent another.
  let noticeDepartures: @Sendable () async -> Void
  /// Waits until every response that a called subject has sent by now is recorded.
  var readAnswers: @Sendable () async -> Void = {}
  let life: SignsOfLife
  /// The longest pause before a retry that the subject declares; nil if it declares none.
  var retryWindow: LogicalTime?

  /// Waits until the condition holds, and returns true. Returns false when the limit is reached, or when nothing more
  /// can happen within the limit. With a virtual clock, the kit notices at once that nothing more can happen, and the
  /// clock stays at the instant of the last event.
  func pass(until isDone: @escaping @Sendable (Recorder.State) -> Bool, limit: LogicalTime) async -> Bool {
    switch clock {
    case .virtual(let virtual): await pass(virtual, until: isDone, deadline: virtual.now + limit)
    case .running: await pass(running: limit, until: isDone)
    }
  }

  /// Waits for the reply to a command or a request. Returns false if the reply does not come within the limit. The case
  /// also stops if the subject hangs: with a virtual clock the subject then does not answer `advance`, and with a
  /// running clock it does not answer `ping`.
  func reply(isThere: @escaping @Sendable (Recorder.State) -> Bool, limit: LogicalTime) async -> Bool {
    guard case .running(let running) = clock else { return await pass(until: isThere, limit: limit) }
    let deadline = running.now + limit
    while recorder.stop == nil, running.now < deadline {
      if await pass(running: min(life.interval, deadline - running.now), until: isThere) { return true }
      if await life.ask() { life.seen() }
    }
    return recorder.read(isThere)
  }

  /// Waits until all work within the span is done. With a running clock this takes the whole span, unless ``Stillness``
  /// shows earlier that nothing more will happen.
  func settle(within span: LogicalTime) async {
    switch clock {
    case .virtual: _ = await pass(until: { _ in false }, limit: span)
    case .running where span == .zero: return
    case .running(let running):
      let deadline = running.now + span
      let margin = max(Stillness.margin, running.lateness)
      while recorder.stop == nil {
        let (seen, isAtRest, still) = recorder.read { state in
          (state.entries.count, state.isAtRest, Stillness(state.entries).end(retryWindow: retryWindow, margin: margin))
        }
        let end = isAtRest ? min(deadline, still ?? deadline) : deadline
        guard running.now < end else { return }
        _ = await pass(
          running: end - running.now, until: { $0.entries.count > seen || $0.isAtRest != isAtRest })
      }
    }
  }

  /// Waits for the whole span.
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
      guard let next = rest.next.earlier(virtual.nextDue), next <= deadline else { return false }
      // An answer moves the clock only once. The kit asks again even if a timer that is due never fires.
      recorder.change { $0.question = nil }
      await move(virtual, to: next)
    }
  }

  /// Waits until the subject is at rest at this instant, and returns the answer of the adapter. Returns nil if the
  /// condition `isDone` becomes true or the case is stopped earlier.
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
    if !recorder.read(isDone) { await hearOut() }
    return recorder.read(isDone)
  }

  /// Waits until everything that was due by now is recorded, even on a busy machine. The kit asks the subject with
  /// `ping`, because a subject that answers `ping` has processed all earlier events. If a command
  /// is still open, the kit does not send `ping`, since the subject may have to finish the open command first.
  private func hearOut() async {
    var quietRounds = 0
    for _ in 0..<Self.mostRounds where quietRounds < Self.quietRounds {
      let (seen, mayAsk) = recorder.read { ($0.entries.count, $0.stop == nil && !$0.hasOpenCommand) }
      guard mayAsk else { return }
      _ = await life.ask()
      // The events of the mocks and of the called subject are recorded, too.
      await noticeDepartures()
      await readAnswers()
      quietRounds = recorder.read(\.entries.count) == seen ? quietRounds + 1 : 0
    }
  }

  /// ``hearOut()`` ends after this number of rounds without a new entry in the transcript. One round is not enough,
  /// because an event loop may answer before it runs its timers.
  private static let quietRounds = 2
  /// The largest number of rounds, if the subject causes new entries in every round.
  private static let mostRounds = 8
}
