import AdapterProtocol
import Adapters
import ConformanceModel
import ConformanceTranscript
import Glibc
import JSONKit
import MockServices
import NIOCore
import Processes
import Recording
import Subjects
import Synchronization
import Templates

/// The driver port of one case. It calls the SDK as an app would do, but through the SDK's adapter.
///
/// A case may use several processes, one after the other: a restart ends one process and takes another one with the
/// same storage.
final class Driver: CommandPort {
  /// The parameters of the launch of an app.
  struct Launch: Sendable {
    var storage: StorageFolder
    /// Whether the adapter writes to the folder of the storage. If it does not, the path of the folder is only a name
    /// for the storage.
    var hasFiles = true
    var clock: ClockMode
    var scale: Int
    /// The wall clock at logical time zero, in milliseconds since 1970.
    var epoch: Int
    /// The seed of the case. The seed of each launch is derived from it.
    var seed: UInt64
    var environment: JSON.Object
    /// The dialect of the case; nil for an SDK that supports at most one dialect.
    var dialect: Dialect?
    /// The certificate, in PEM, of an authority that the app trusts in addition to the authorities of the system.
    var trust: String?
    /// Maps each host name that the system cannot resolve to its address.
    var hosts: [String: String] = [:]
  }

  /// The kind of a command that the adapter has not answered yet.
  private enum Purpose {
    /// A command of a step, with its number in the transcript.
    case command(Int, name: String)
    /// The command `advance`, with the number of the ``RestQuestion``, and the time at which the app was launched.
    case question(Int, launchedAt: LogicalTime)
    /// A command of the kit itself, such as `ping`. A task waits for the reply.
    case life(Int)
    /// The command `launch`. A task waits for the reply.
    case launch(Int)
  }

  private struct State {
    var worker: AdapterPool.Worker?
    /// The environment values that the app gets at its next launch.
    var environment: JSON.Object
    /// Whether the kit is ending the process, so that its exit is expected.
    var isEnding = false
    /// Whether the app has been launched. If the adapter breaches its protocol before the launch, the breach does not
    /// belong to this case.
    var hasApp = false
    var isEndNoted = false
    var launches = 0
    /// The number of storages that the app has used so far.
    var storages = 1
    var launchedAt = LogicalTime.zero
    /// The time for which the process had waited for a processor before this case began to use it.
    var waitedBefore = Duration.zero
    /// The commands that this process has not answered yet, by the id of the command.
    var purposes: [Int: Purpose] = [:]
    /// Maps the handle of each callback to the name of the command that registered it.
    var registrations: [String: String] = [:]
    var lastNumber = 0
  }

  let mustSucceed = false
  /// The storage of the app, which all launches share.
  var storage: StorageFolder { launch.storage }
  private let state: Mutex<State>
  private let pool: AdapterPool
  private let launch: Launch
  /// The event loop on which the steps run; nil if the steps run on other threads.
  private let loop: (any EventLoop)?
  private let recorder: Recorder
  private let bender: Bender?
  private let delivery: Delivery
  private let inbox: AdapterInbox
  private let now: @Sendable () -> LogicalTime

  init(
    pool: AdapterPool, launch: Launch, recorder: Recorder, bender: Bender? = nil, clock: CaseClock,
    loop: (any EventLoop)? = nil, inbox: AdapterInbox
  ) {
    self.pool = pool
    self.launch = launch
    self.loop = loop
    state = Mutex(State(environment: launch.environment))
    self.recorder = recorder
    self.bender = bender
    self.inbox = inbox
    delivery = Delivery(bender: bender, clock: clock, recorder: recorder)
    now = { clock.now }
  }

  /// Takes a process and launches the app in it.
  func start() async throws {
    let worker = try await recorder.countingAsWaiting { try await pool.take(on: inbox.loop) }
    let waitedBefore = processorWait(of: worker)
    let number = state.withLock { state in
      state.worker = worker
      state.isEnding = false
      state.hasApp = false
      state.isEndNoted = false
      state.launches += 1
      state.launchedAt = now()
      state.waitedBefore = waitedBefore
      // Ids are unique within a process only.
      state.purposes = [:]
      return state.launches
    }
    worker.listen(
      AdapterPool.Listener(backlog: { [inbox] in inbox.backlog() }) { [weak self, weak worker] event in
        if let worker { self?.post(event, from: worker, launch: number) }
      })
    recorder.record(.process(.started(launch: number)))
    let request = AdapterRequest.launch(
      AdapterLaunch(
        storage: storageName, clock: launch.clock, epoch: launch.epoch + Int(now().milliseconds),
        scale: launch.scale, seed: launch.seed(number), environment: state.withLock(\.environment),
        dialect: launch.dialect, trust: launch.trust, hosts: launch.hosts))
    try await live(request, in: worker) { .launch($0) }
  }

  /// The storage for the next launch: the path of the folder, or a name that no earlier storage had.
  private var storageName: String {
    launch.hasFiles ? storage.path : "\(storage.path)/\(state.withLock(\.storages))"
  }

  /// Sends a command of the protocol, and returns its number. The reply is recorded when it arrives.
  func call(_ command: String, params: JSON, label: String?) -> Int {
    let (worker, number) = state.withLock { state in
      state.lastNumber += 1
      if let handle = params["handle"]?.string { state.registrations[handle] = command }
      return (state.worker, state.lastNumber)
    }
    recorder.record(.command(.init(id: number, name: command, params: params, label: label)))
    guard let worker else { return number }
    send(
      AdapterRequest(command, params: params.object ?? [:]), .command(number, name: command), limit: .unlimited,
      isHeld: loop != nil, in: worker)
    // The question whether the app is at rest usually follows at once. Both commands are then written together.
    loop?.execute { worker.session.flush() }
    return number
  }

  /// Sends `ping`, and waits for the reply or the end of the case. Returns true if the reply has arrived. A process
  /// that hangs is reported and killed.
  func ping() async -> Bool {
    let (worker, number) = state.withLock { state in
      state.lastNumber += 1
      return (state.worker, state.lastNumber)
    }
    guard let worker else { return false }
    send(.ping, .life(number), in: worker)
    await recorder.wait { $0.outcomes[number] != nil }
    return recorder.outcome(number) != nil
  }

  /// Asks the app to move its clock to an instant. The app replies as soon as it waits only for requests that the mocks
  /// hold. Returns the number of the question, or nil if no app runs.
  func ask(_ instant: LogicalTime) -> Int? {
    let (worker, number, launchedAt) = state.withLock { state in
      state.lastNumber += 1
      return (state.worker, state.lastNumber, state.launchedAt)
    }
    guard let worker else { return nil }
    var inFlight = 0
    recorder.change { state in
      state.question = RestQuestion(number: number, instant: instant)
      inFlight = state.held
    }
    let request = AdapterRequest.advance(to: instant - launchedAt, inFlight: inFlight)
    send(request, .question(number, launchedAt: launchedAt), in: worker)
    return number
  }

  /// Ends the app and its process, and launches the app again in another process.
  ///
  /// - Parameter whileAway: called after the end and before the launch, while no app runs.
  func restart(
    _ restart: Step.Restart, environment: JSON.Object, whileAway: () async -> Void = {}
  ) async throws {
    guard let worker = leave() else { return }
    recorder.record(.process(.ended(restart.ending)))
    let ending = await recorder.countingAsWaiting { await pool.end(worker, restart.ending) }
    await inbox.emptied()
    note(ending, of: worker)
    if let stop = recorder.stop { throw CaseHalt(stop.kind, stop.text) }
    recorder.change { $0.abandonCommands() }
    if !restart.keepsStorage {
      try launch.storage.empty()
      state.withLock { $0.storages += 1 }
    }
    await whileAway()
    state.withLock { state in
      for member in environment.members { state.environment[member.key] = member.value }
    }
    try await start()
  }

  /// Ends the app, and returns its process to the pool. If the process has died in the meantime, this case still
  /// reports its death.
  func finish() async {
    guard let worker = leave() else { return }
    let isHealthy = recorder.stop == nil
    let ending = await recorder.countingAsWaiting { await pool.giveBack(worker, isHealthy: isHealthy) }
    await inbox.emptied()
    if let ending { note(ending, of: worker) }
    stopIfStorageIsFull()
  }

  /// Removes the process from the driver, so that the caller can end it. Returns the process, or nil if the driver has
  /// none.
  private func leave() -> AdapterPool.Worker? {
    delivery.end()
    let (taken, waitedBefore) = state.withLock { state in
      state.isEnding = true
      return (state.worker.take(), state.waitedBefore)
    }
    if let taken { recorder.noteProcessorWait(processorWait(of: taken) - waitedBefore) }
    return taken
  }

  /// The time for which a process has waited for a processor so far. With a virtual clock, which stops while the
  /// process waits, only the time by which the kit extended its limits counts.
  private func processorWait(of worker: AdapterPool.Worker) -> Duration {
    launch.clock == .virtual ? worker.session.forgivenWait : worker.session.processorWait
  }

  /// Records how the process ended. Stops the case if the kit did not end the process on purpose.
  private func note(_ ending: AdapterEnding, of worker: AdapterPool.Worker) {
    let isNoted = state.withLock { state in
      defer { state.isEndNoted = true }
      return state.isEndNoted
    }
    if isNoted { return }
    let text = worker.session.refusal?.text ?? "the adapter \(ending.exit)"
    switch ending.cause {
    case .itself: die(ending.exit, text)
    case .shutdown where ending.exit != .exited(code: 0) && !worker.session.hasAnsweredShutdown:
      die(ending.exit, text)
    case .hung, .broke:
      recorder.record(.process(.ended(.kill)))
      recorder.halt(.init(ending.cause == .hung ? .adapterHung : .adapterBroke, text))
    // An adapter that is slow to end, or fails after its app has ended, does not affect the case.
    case .shutdown, .terminated, .forced, .killed: break
    }
  }

  private func die(_ exit: ProcessExit, _ text: String) {
    switch exit {
    case .exited(let code): recorder.record(.process(.exited(code: code)))
    case .signalled(let signal): recorder.record(.process(.signalled(signal)))
    }
    stopIfStorageIsFull()
    recorder.halt(.init(.adapterDied, text))
  }

  private func stopIfStorageIsFull() {
    guard launch.storage.isFull, let lack = MachineLack(errno: ENOSPC) else { return }
    recorder.halt(.init(.machine, "storage at \(launch.storage.path): \(lack.text)"))
  }

  private func live(
    _ request: AdapterRequest, in worker: AdapterPool.Worker, as purpose: (Int) -> Purpose
  ) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    send(request, purpose(number), in: worker)
    await recorder.wait { $0.outcomes[number] != nil }
    if let stop = recorder.stop { throw CaseHalt(stop.kind, stop.text) }
    if case .error(let error)? = recorder.outcome(number) {
      throw CaseHalt(
        .adapterBroke, "'\(request.method)' failed with \(error.kind): \(error.message ?? "no message")")
    }
  }

  private func send(
    _ request: AdapterRequest, _ purpose: Purpose, limit: ReplyLimit = .own, isHeld: Bool = false,
    in worker: AdapterPool.Worker
  ) {
    worker.session.send(request, limit: limit, isHeld: isHeld) { id in
      state.withLock { $0.purposes[id] = purpose }
    }
    // The process may have ended before the listener was set.
    guard let refusal = worker.session.refusal else { return }
    inbox.post { [recorder] in recorder.halt(refusal.ending) }
  }

  /// Queues an event of the adapter behind earlier events.
  private func post(_ event: AdapterEvent, from worker: AdapterPool.Worker, launch: Int) {
    inbox.post(afterSockets: isOfApp(event)) { self.hear(event, from: worker, launch: launch) }
  }

  /// Whether the event is a callback, or the reply to a step's command. Before such an event, the kit must record the
  /// requests that the SDK sent earlier.
  private func isOfApp(_ event: AdapterEvent) -> Bool {
    switch event {
    case .callback: true
    case .reply(let id, _): if case .command? = state.withLock({ $0.purposes[id] }) { true } else { false }
    case .ended, .output, .breach, .earlierBreach, .hung, .exited, .signalled: false
    }
  }

  private func hear(_ event: AdapterEvent, from worker: AdapterPool.Worker, launch: Int) {
    switch event {
    case .reply(let id, let outcome): take(outcome, for: purpose(of: id), from: worker)
    case .ended(let id):
      if case .command(let number, _)? = purpose(of: id) { recorder.record(.reply(.ended(id: number))) }
    case .callback(let handle, let value): hear(value, of: handle, launch: launch)
    case .output(let octets): recorder.record(.output(octets))
    case .breach(let text): take(breach: text)
    case .earlierBreach(let text): pool.note(breach: text)
    case .hung: if let refusal = worker.session.refusal { recorder.halt(refusal.ending) }
    case .exited(let code): hear(.exited(code: code), of: worker)
    case .signalled(let signal): hear(.signalled(signal), of: worker)
    }
  }

  /// Records the call of a callback, after the mutator has changed, repeated, delayed or lost the call.
  private func hear(_ value: JSON, of handle: String, launch: Int) {
    guard let command = state.withLock({ $0.registrations[handle] }) else {
      return take(
        breach:
          "a callback for the handle '\(handle.visibleOnOneLine.cut(at: 80))', under which no command of this case "
          + "registered one")
    }
    for value in bender?.callbacks(value, of: command) ?? [value] {
      delivery.deliver(.callback, of: command, value, whose: handle) { [recorder] _ in
        recorder.record(.callback(handle: handle, value: value), launch: launch)
      }
    }
  }

  /// Whether another command is unanswered, and the mutator changes replies to this command.
  private func hasOpenCommand(besides number: Int) -> Bool {
    state.withLock { state in
      state.purposes.values.contains {
        guard case .command(let other, let name) = $0, other != number else { return false }
        return bender?.isAbout(.reply, named: name) ?? false
      }
    }
  }

  private func purpose(of id: Int) -> Purpose? { state.withLock { $0.purposes.removeValue(forKey: id) } }

  private func take(breach text: String) {
    recorder.record(.breach(text))
    // The time of a breach is a matter of chance. So a breach outside of an app's life does not belong to a case,
    // whether it comes during the case or between two cases. A breach that arrives together with the cause of the stop
    // belongs to the case.
    if state.withLock({ $0.hasApp && !$0.isEnding }) || recorder.stop != nil {
      recorder.halt(.init(.adapterBroke, text))
    } else {
      pool.note(breach: text)
    }
  }

  /// Handles the unexpected end of a process. An expected end is handled by the function that ends the process.
  private func hear(_ exit: ProcessExit, of worker: AdapterPool.Worker) {
    guard !state.withLock(\.isEnding) else { return }
    let cause: AdapterEnding.Cause =
      switch worker.session.refusal?.kind {
      case .hung: .hung
      case .broke: .broke
      default: .itself
      }
    note(AdapterEnding(cause: cause, exit: exit), of: worker)
  }

  private func take(_ outcome: CommandOutcome, for purpose: Purpose?, from worker: AdapterPool.Worker) {
    switch purpose {
    case .command(let number, let name):
      let outcome = bender?.outcome(outcome, of: name) ?? outcome
      delivery.deliver(
        .reply, of: name, outcome.view, whose: "\(number)", mayWait: hasOpenCommand(besides: number)
      ) { [recorder] _ in
        recorder.record(.reply(.init(id: number, outcome: outcome)))
      }
    case .life(let number): recorder.change { $0.outcomes[number] = outcome }
    case .launch(let number):
      worker.noteLaunch()
      state.withLock { $0.hasApp = true }
      recorder.change { $0.outcomes[number] = outcome }
    // The app was asked to end in the meantime, so it need not answer.
    case .question where outcome == .noReply: break
    case .question(let number, let launchedAt):
      guard case .result(let value) = outcome, let reply = try? AdvanceReply(JSONField(value)) else {
        recorder.halt(.init(.adapterBroke, "'advance' failed: \(outcome.view.excerpt)"))
        return
      }
      let answer = RestQuestion.Answer(next: reply.next.map { launchedAt + $0 })
      recorder.change { if $0.question?.number == number { $0.question?.answer = answer } }
    case nil: break
    }
  }
}

extension Driver.Launch {
  /// The seed for the SDK's random values after a launch. It differs for each launch, because the SDK would otherwise
  /// generate the same ids again.
  fileprivate func seed(_ number: Int) -> UInt64 {
    var seeds = SeededRandom(seed: seed &+ UInt64(number))
    return seeds.next()
  }
}
