import AdapterProtocol
import ConformanceModel
import ConformanceTranscript
import NIOCore
import Processes
import Synchronization

/// The processes of one adapter. Each process serves one case at a time.
///
/// With `instances: many`, a process that is healthy at the end of a case serves the next case. Any other process is
/// ended, so that a crash or a hang affects one case only.
package final class AdapterPool: Sendable {
  /// The receiver of the events of a process.
  package struct Listener: Sendable {
    /// Called before more output is read. Returns nil if few events wait to be processed. Otherwise returns a
    /// future that completes when the backlog is small again.
    var backlog: @Sendable () -> EventLoopFuture<Void>?
    var hear: @Sendable (AdapterEvent) -> Void

    package init(
      backlog: @escaping @Sendable () -> EventLoopFuture<Void>?, hear: @escaping @Sendable (AdapterEvent) -> Void
    ) {
      self.backlog = backlog
      self.hear = hear
    }
  }

  /// A process, and the forwarding of its events to the current listener.
  package final class Worker: Sendable {
    package let session: AdapterSession
    private let relay: EventRelay
    /// The instant of the last launch of an app. Child processes that started earlier belong to the adapter, and not to
    /// the app.
    private let launched = Mutex<Supervision.Instant?>(nil)

    fileprivate init(session: AdapterSession, relay: EventRelay) {
      self.session = session
      self.relay = relay
    }

    /// Notes this instant as the instant of the last launch.
    package func noteLaunch() { launched.withLock { $0 = .now } }

    /// Kills the processes that the app started and that still run. Returns their names.
    fileprivate func endLeftovers() -> [String] {
      launched.withLock { $0.take() }.map { session.endLeftovers(since: $0) } ?? []
    }

    /// Sends all further events to this listener. With nil, the pool receives the events.
    package func listen(_ listener: Listener?) { relay.listen(listener) }
  }

  fileprivate final class EventRelay: Sendable {
    private let listener = Mutex<Listener?>(nil)
    /// Receives the events of the process while it has no listener.
    private let idle: @Sendable (AdapterEvent) -> Void

    init(idle: @escaping @Sendable (AdapterEvent) -> Void) { self.idle = idle }

    func listen(_ listener: Listener?) { self.listener.withLock { $0 = listener } }

    func forward(_ event: AdapterEvent) { (listener.withLock(\.self)?.hear ?? idle)(event) }

    var backlog: EventLoopFuture<Void>? { listener.withLock(\.self)?.backlog() }
  }

  private struct State {
    var idle: [Worker] = []
    var hello: AdapterHello?

    /// Removes and returns the idle process of this loop that became idle last.
    mutating func takeIdle(on loop: any EventLoop) -> Worker? {
      idle.lastIndex { $0.session.eventLoop === loop }.map { idle.remove(at: $0) }
    }
  }

  package let command: ProgramCommand
  private let definition: ProtocolDefinition
  private let kit: String
  private let limits: AdapterLimits
  private let checks: MessageChecks
  private let now: @Sendable () -> Heartbeat.Instant
  private let processorWait: @Sendable (ChildProcess) -> ProcessorWait.Sample
  private let incidents: IncidentLog
  /// The abilities that apply if the adapter's `hello` does not list any.
  private let abilities: Set<HostAbility>
  /// The names of the values in `declares` of `hello` that cases use.
  private let declared: @Sendable () -> Set<String>
  private let state = Mutex(State())

  package init(
    command: ProgramCommand, definition: ProtocolDefinition, kit: String, limits: AdapterLimits, checks: MessageChecks,
    abilities: Set<HostAbility> = Set(HostAbility.allCases),
    now: @escaping @Sendable () -> Heartbeat.Instant = { Heartbeat.shared.now },
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample = \.processorWait,
    incidents: IncidentLog = .shared, declared: @escaping @Sendable () -> Set<String> = { [] }
  ) {
    self.command = command
    self.definition = definition
    self.kit = kit
    self.limits = limits
    self.checks = checks
    self.abilities = abilities
    self.now = now
    self.processorWait = processorWait
    self.incidents = incidents
    self.declared = declared
  }

  /// Notes a breach that belongs to no case.
  package func note(breach text: String) { incidents.note(.breach(text), of: Self.subject) }

  private static let subject = "the adapter"

  /// Starts the first process, reads its `hello`, and probes whether the adapter accepts commands that do not exist.
  package func meet(seed: UInt64) async throws -> (hello: AdapterHello, subject: Subject) {
    let worker = try await start(on: CaseLoops.shared.first)
    let probe = AdapterProbe(seed: seed, avoiding: Set(definition.commands.map(\.name)))
    let finding = try await probe.run(on: worker.session)
    let hello = state.withLock { state in
      state.idle.append(worker)
      return state.hello
    }
    guard let hello else { throw ProgramFailure(.handshake, "the adapter did not answer 'hello'") }
    return (hello, hello.subject(isHonest: finding.isHonest, abilities: abilities))
  }

  /// Whether the SDK supports several dialects, so that `launch` has to name a dialect.
  package var choosesDialects: Bool { state.withLock { ($0.hello?.dialects ?? []).count > 1 } }

  /// Whether the storage of the SDK is a folder of this machine.
  package var hasFiles: Bool { (state.withLock { $0.hello?.host } ?? abilities).contains(.files) }

  /// Returns an idle process, or else a new process. Its stdout is read on this loop. An idle process that has died is
  /// never returned, so that it does not affect the next case.
  package func take(on loop: any EventLoop) async throws -> Worker {
    while let waiting = state.withLock({ $0.takeIdle(on: loop) }) {
      if waiting.session.isAlive { return waiting }
      await endDead(waiting)
    }
    return try await start(on: loop)
  }

  /// Takes a process back at the end of a case. Returns how the process ended, or nil if it stays alive for the next
  /// case.
  @discardableResult
  package func giveBack(_ worker: Worker, isHealthy: Bool) async -> AdapterEnding? {
    guard isHealthy, state.withLock({ $0.hello?.instances }) == .many,
      case .result? = try? await worker.session.call(.quit)
    else { return await end(worker, isHealthy ? .clean : .kill) }
    // Later events do not belong to this case.
    worker.listen(nil)
    guard worker.session.isAlive else {
      await endDead(worker)
      return nil
    }
    for leftover in worker.endLeftovers() { incidents.note(.leftover(leftover), of: Self.subject) }
    state.withLock { $0.idle.append(worker) }
    return nil
  }

  /// Cleans up a process that takes no more commands. This happened while no app ran in the process. If the process
  /// ended by itself, notes a breach.
  private func endDead(_ worker: Worker) async {
    if await end(worker, .kill).cause == .itself {
      note(
        breach:
          "its \(command.isRelay ? "session" : "process") ended while no app ran; expected it to wait for 'launch' or 'shutdown'"
      )
    }
  }

  /// Ends a process. Until the process has ended, its listener receives the events.
  @discardableResult
  package func end(_ worker: Worker, _ ending: Step.Restart.Ending) async -> AdapterEnding {
    defer { worker.listen(nil) }
    let ending =
      switch ending {
      case .clean: await worker.session.shutDown()
      case .kill: await worker.session.kill()
      }
    for leftover in ending.leftovers { incidents.note(.leftover(leftover), of: Self.subject) }
    return ending
  }

  /// The first answer of the adapter to `hello`.
  package var hello: AdapterHello? { state.withLock(\.hello) }

  /// Ends every idle process.
  package func close() async {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in idle { group.addTask { _ = await self.end(worker, .clean) } }
    }
  }

  private func start(on loop: any EventLoop) async throws -> Worker {
    let relay = EventRelay { [weak self] event in
      if case .breach(let text) = event { self?.note(breach: text) }
      if case .earlierBreach(let text) = event { self?.note(breach: text) }
    }
    let session = try await AdapterSession.start(
      command, on: loop, limits: limits, checks: checks, now: now, processorWait: processorWait,
      backlog: { relay.backlog }
    ) { relay.forward($0) }
    let hello = try await session.hello(kit: kit, protocolName: definition.name)
    do {
      try hello.checkNames(of: definition, declared: declared)
      try hello.checkHost(has: abilities)
      if let first = self.hello { try hello.checkSameness(with: first, at: session.place) }
    } catch {
      await session.kill()
      throw error
    }
    state.withLock { $0.hello = $0.hello ?? hello }
    return Worker(session: session, relay: relay)
  }
}
