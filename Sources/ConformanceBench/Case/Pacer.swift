import ConformanceModel

/// Lets logical time pass: as fast as the subject comes to rest with a virtual clock, as time does otherwise.
///
/// With a virtual clock the subject is *at rest* when its adapter says so, at an instant, while the mock holds as many
/// requests as it told the adapter. Only then is the clock moved, and only to the next thing that is due.
struct Pacer: Sendable {
  /// How a subject is asked whether it is alive while nobody says whether it is at rest.
  struct SignsOfLife: Sendable {
    /// How long a reply is waited for before the subject is asked.
    var interval: LogicalTime
    /// Whether the subject gave one, once it did; the case is stopped when it gives none. False when nobody can be asked.
    var ask: @Sendable () async -> Bool
    /// Hears that it gave one while something was waited for.
    var seen: @Sendable () -> Void
  }

  let recorder: Recorder
  let clock: CaseClock
  /// Puts a ``RestQuestion``; gives its number, nil when no app runs that could be asked.
  let ask: @Sendable (_ instant: LogicalTime) -> Int?
  /// Lets the mocks release what they hold for clients that have left. A request that the subject gave up would stand
  /// for a new one that is still on its way, as long as its mock has not seen its connection end.
  let noticeDepartures: @Sendable () async -> Void
  /// Returns when all is written down that a subject had answered by now that is called.
  var readAnswers: @Sendable () async -> Void = {}
  let life: SignsOfLife
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

  /// Waits for the reply to a command or a request; false when it never comes. A subject that hangs meanwhile is found
  /// out with every clock: by its `advance` with a virtual one, by its `ping` with one that runs.
  func reply(isThere: @escaping @Sendable (Recorder.State) -> Bool, limit: LogicalTime) async -> Bool {
    guard case .running(let running) = clock else { return await pass(until: isThere, limit: limit) }
    let deadline = running.now + limit
    while recorder.stop == nil, running.now < deadline {
      if await pass(running: min(life.interval, deadline - running.now), until: isThere) { return true }
      if await life.ask() { life.seen() }
    }
    return recorder.read(isThere)
  }

  /// Lets everything finish that is going to happen within the time. With a clock that runs that takes all of the time,
  /// unless ``Stillness`` knows better.
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
      guard let next = rest.next.earlier(virtual.nextDue), next <= deadline else { return false }
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
    if !recorder.read(isDone) { await hearOut() }
    return recorder.read(isDone)
  }

  /// Lets what was due by now be heard although the machine is busy: a subject that answers a `ping` has had its turn.
  /// One that is still at a command may have to end that first, and is not asked.
  private func hearOut() async {
    var quietRounds = 0
    for _ in 0..<Self.mostRounds where quietRounds < Self.quietRounds {
      let (seen, mayAsk) = recorder.read { ($0.entries.count, $0.stop == nil && !$0.hasOpenCommand) }
      guard mayAsk else { return }
      _ = await life.ask()
      // The mocks have had their turn too, and those who asked.
      await noticeDepartures()
      await readAnswers()
      quietRounds = recorder.read(\.entries.count) == seen ? quietRounds + 1 : 0
    }
  }

  /// After how many rounds in which nothing was heard there is nothing to be heard: a loop may answer before its timers.
  private static let quietRounds = 2
  /// A subject that is never quiet is not waited for.
  private static let mostRounds = 8
}
