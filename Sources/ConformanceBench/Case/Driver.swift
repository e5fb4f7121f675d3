import ConformanceModel
import JSONKit
import Synchronization

/// The driver port of one case: the hand of the app developer, which presses the SDK's buttons through its adapter.
///
/// Over the life of a case it may lead several processes, one after the other: a restart ends one and takes another on
/// the same storage.
final class Driver: CommandPort {
  /// What an app is launched with.
  struct Launch: Sendable {
    var storage: StorageFolder
    var clock: ClockMode
    var scale: Int
    /// Logical time zero in milliseconds since 1970.
    var epoch: Int
    var seed: UInt64
    var environment: JSON.Object
  }

  /// What a reply of the adapter is for.
  private enum Purpose {
    /// A command of a step, by its number in the transcript.
    case command(Int)
    /// A question to the clock, by its number, and when the app was launched.
    case question(Int, launchedAt: LogicalTime)
    /// A step of the app's life that somebody waits for.
    case life(Int)
  }

  private struct State {
    var worker: AdapterPool.Worker?
    var launches = 0
    var launchedAt = LogicalTime.zero
    var purposes: [Int: Purpose] = [:]
    var lastNumber = 0
  }

  let mustSucceed = false
  private let state = Mutex(State())
  private let pool: AdapterPool
  private let launch: Launch
  private let recorder: Recorder
  private let now: @Sendable () -> LogicalTime

  init(pool: AdapterPool, launch: Launch, recorder: Recorder, now: @escaping @Sendable () -> LogicalTime) {
    self.pool = pool
    self.launch = launch
    self.recorder = recorder
    self.now = now
  }

  /// Takes a process and launches the app in it.
  func start() async throws {
    let worker = try await pool.take { [weak self] in self?.hear($0) }
    let number = state.withLock { state in
      state.worker = worker
      state.launches += 1
      state.launchedAt = now()
      return state.launches
    }
    recorder.record(.process(.started(launch: number)))
    let request = AdapterRequest.launch(
      AdapterLaunch(
        storage: launch.storage.path, clock: launch.clock, epoch: launch.epoch + Int(now().milliseconds),
        scale: launch.scale, seed: launch.seed, environment: launch.environment))
    try await live(request, in: worker)
  }

  /// Sends a command of the protocol and gives its number; its reply reaches the recorder.
  func call(_ command: String, params: JSON, label: String?) -> Int {
    let (worker, number) = state.withLock { state in
      state.lastNumber += 1
      return (state.worker, state.lastNumber)
    }
    recorder.record(.command(.init(id: number, name: command, params: params, label: label)))
    guard let worker else { return number }
    send(AdapterRequest(command, params: params.object ?? [:]), .command(number), in: worker)
    return number
  }

  /// Asks the app to move its clock to an instant and to say when nothing but what the mocks hold is outstanding; gives
  /// the number of the question, nil when no app runs.
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

  /// Ends the app and its process, and launches it again in another one.
  func restart(_ restart: Step.Restart) async throws {
    guard let worker = state.withLock({ $0.worker.take() }) else { return }
    recorder.record(.process(.ended(restart.ending)))
    await pool.end(worker, restart.ending)
    recorder.change { $0.abandonCommands() }
    if !restart.keepsStorage { try launch.storage.empty() }
    try await start()
  }

  /// Ends the app and gives its process back.
  func finish() async {
    guard let worker = state.withLock({ $0.worker.take() }) else { return }
    await pool.giveBack(worker, isHealthy: recorder.stop == nil)
  }

  private func live(_ request: AdapterRequest, in worker: AdapterPool.Worker) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    send(request, .life(number), in: worker)
    await recorder.wait { $0.outcomes[number] != nil }
    if case .error(let error)? = recorder.outcome(number) {
      throw StepPlayer.Halt(
        .adapterBroke, "'\(request.method)' failed with \(error.kind): \(error.message ?? "no message")")
    }
  }

  private func send(_ request: AdapterRequest, _ purpose: Purpose, in worker: AdapterPool.Worker) {
    worker.session.send(request) { id in
      state.withLock { $0.purposes[id] = purpose }
    }
  }

  private func hear(_ event: AdapterEvent) {
    switch event {
    case .reply(let id, let outcome): take(outcome, for: state.withLock { $0.purposes.removeValue(forKey: id) })
    case .callback(let handle, let value): recorder.record(.callback(handle: handle, value: value))
    case .output(let octets): recorder.record(.output(octets))
    case .breach(let text):
      recorder.record(.breach(text))
      recorder.halt(.init(.adapterBroke, text))
    case .hung(_, let command):
      recorder.halt(.init(.adapterHung, "the adapter did not reply to '\(command)' in time, and was killed"))
    case .exited(let code):
      recorder.record(.process(.exited(code: code)))
      recorder.halt(.init(.adapterDied, "the adapter's process exited with code \(code)"))
    case .signalled(let signal):
      recorder.record(.process(.signalled(signal)))
      recorder.halt(.init(.adapterDied, "the adapter's process died of signal \(signal)"))
    }
  }

  private func take(_ outcome: CommandOutcome, for purpose: Purpose?) {
    switch purpose {
    case .command(let number): recorder.record(.reply(.init(id: number, outcome: outcome)))
    case .life(let number): recorder.change { $0.outcomes[number] = outcome }
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
