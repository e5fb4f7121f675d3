import AdapterProtocol
import ConformanceModel
import Synchronization

/// The processes of one adapter, lent to one case at a time.
///
/// With `instances: many` a process that came back healthy serves the next case; any other is ended, so that a crash or
/// a hang costs the one case that it happened in.
package final class AdapterPool: Sendable {
  /// A process and the relay of its events to it at the moment.
  final class Worker: Sendable {
    let session: AdapterSession
    private let relay: EventRelay

    fileprivate init(session: AdapterSession, relay: EventRelay) {
      self.session = session
      self.relay = relay
    }

    /// Gives everything that comes from now on to this listener; nil to nobody.
    func listen(_ listener: (@Sendable (AdapterEvent) -> Void)?) { relay.listen(listener) }
  }

  fileprivate final class EventRelay: Sendable {
    /// In a struct: a closure that stands in a mutex by itself is wrapped once more at each access.
    private struct Listener {
      var hear: (@Sendable (AdapterEvent) -> Void)?
    }

    private let listener = Mutex(Listener())

    func listen(_ hear: (@Sendable (AdapterEvent) -> Void)?) { listener.withLock { $0.hear = hear } }

    func forward(_ event: AdapterEvent) { listener.withLock(\.hear)?(event) }
  }

  private struct State {
    var idle: [Worker] = []
    var hello: AdapterHello?
  }

  package let command: AdapterCommand
  private let definition: ProtocolDefinition
  private let kit: String
  private let limits: AdapterLimits
  private let checks: MessageChecks
  private let now: @Sendable () -> Heartbeat.Instant
  private let state = Mutex(State())

  package init(
    command: AdapterCommand, definition: ProtocolDefinition, kit: String, limits: AdapterLimits, checks: MessageChecks,
    now: @escaping @Sendable () -> Heartbeat.Instant = { Heartbeat.shared.now }
  ) {
    self.command = command
    self.definition = definition
    self.kit = kit
    self.limits = limits
    self.checks = checks
    self.now = now
  }

  /// Starts the first process, asks who it drives, and probes whether it says yes to commands that do not exist.
  package func meet(seed: UInt64) async throws -> (hello: AdapterHello, subject: Subject) {
    let worker = try await start()
    let probe = AdapterProbe(seed: seed, avoiding: Set(definition.commands.map(\.name)))
    let finding = try await probe.run(on: worker.session)
    let hello = state.withLock { state in
      state.idle.append(worker)
      return state.hello
    }
    guard let hello else { throw AdapterFailure(.handshake, "the adapter did not say who it is") }
    return (hello, hello.subject(isHonest: finding.isHonest))
  }

  /// Lends a process, one that waits or a new one. One that died while nobody used it is no loss of the next case.
  func take() async throws -> Worker {
    while let waiting = state.withLock({ $0.idle.popLast() }) {
      if waiting.session.isAlive { return waiting }
      await end(waiting, .kill)
    }
    return try await start()
  }

  /// Takes a process back at the end of a case: how it ended, nil when it waits for the next case.
  @discardableResult
  func giveBack(_ worker: Worker, isHealthy: Bool) async -> AdapterEnding? {
    guard isHealthy, state.withLock({ $0.hello?.instances }) == .many,
      case .result? = try? await worker.session.call(.quit), worker.session.isAlive
    else { return await end(worker, isHealthy ? .clean : .kill) }
    worker.listen(nil)
    state.withLock { $0.idle.append(worker) }
    return nil
  }

  /// Ends a process for good. Its listener hears it to the end.
  @discardableResult
  func end(_ worker: Worker, _ ending: Step.Restart.Ending) async -> AdapterEnding {
    defer { worker.listen(nil) }
    return switch ending {
    case .clean: await worker.session.shutDown()
    case .kill: await worker.session.kill()
    }
  }

  /// What the adapter last said of itself.
  package var hello: AdapterHello? { state.withLock(\.hello) }

  /// Ends every process that waits.
  package func close() async {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in idle { group.addTask { _ = await self.end(worker, .clean) } }
    }
  }

  private func start() async throws -> Worker {
    let relay = EventRelay()
    let session = try await AdapterSession.start(command, limits: limits, checks: checks, now: now) {
      relay.forward($0)
    }
    let hello = try await session.hello(kit: kit, protocolName: definition.name)
    state.withLock { $0.hello = hello }
    return Worker(session: session, relay: relay)
  }
}
