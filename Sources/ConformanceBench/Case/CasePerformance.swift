import ConformanceModel
import ConformanceWire
import FoundationEssentials
import NIOPosix

/// Performs one case against one subject and comes back with the transcript: the only place that touches the world.
package struct CasePerformance: Sendable {
  /// Who is plugged in.
  package enum Plug: Sendable {
    case sdk(AdapterPool)
    /// The server to call in each dialect; one that speaks a single dialect is the same in all.
    case server(@Sendable (Dialect) -> ServerUnderTest?, WireClient, CommandChecks)
  }

  /// A transcript, and how long the kit waited for others while it came about.
  package struct Performed: Sendable {
    package var transcript: Transcript
    package var waited: Duration
  }

  /// The conditions of a performance.
  package struct Conditions: Sendable {
    package var kit: String
    package var clock: ClockMode
    /// How much faster than real time the scaled clock runs.
    package var scale: Int
    package var seed: UInt64
    /// How long a case may take in reality before it is given up.
    package var timeLimit: Duration
    package var redaction: Redaction

    package init(
      kit: String, clock: ClockMode, scale: Int = 20, seed: UInt64, timeLimit: Duration, redaction: Redaction
    ) {
      self.kit = kit
      self.clock = clock
      self.scale = scale
      self.seed = seed
      self.timeLimit = timeLimit
      self.redaction = redaction
    }

    /// How long a logical time takes in reality.
    func reality(of time: LogicalTime) -> Duration {
      switch clock {
      case .virtual: .zero
      case .scaled: .milliseconds(time.milliseconds / Double(scale))
      case .real: .milliseconds(time.milliseconds)
      }
    }
  }

  /// Whether waiting takes time.
  package var waits: Bool { conditions.clock != .virtual }

  /// Logical time zero of a virtual clock: a fixed date, so that a case is the same every day.
  static let virtualEpoch = 1_772_323_200_000

  let catalogue: Catalogue
  let makeServer: @Sendable (Dialect, UInt64) -> any ServerModel
  let subject: Subject
  let plug: Plug
  let conditions: Conditions

  package init(
    catalogue: Catalogue, makeServer: @escaping @Sendable (Dialect, UInt64) -> any ServerModel, subject: Subject,
    plug: Plug, conditions: Conditions
  ) {
    self.catalogue = catalogue
    self.makeServer = makeServer
    self.subject = subject
    self.plug = plug
    self.conditions = conditions
  }

  /// Plays the case. Never throws: whatever goes wrong is the transcript's last entry.
  package func perform(_ testCase: Case, _ scenario: Case.Scenario, _ instance: CaseInstance) async -> Performed {
    let clock = makeClock()
    let epoch = conditions.clock == .virtual ? Self.virtualEpoch : Timestamp.now.milliseconds
    let recorder = Recorder(redact: conditions.redaction) { clock.now }
    var header = TranscriptHeader(
      kit: conditions.kit, protocolName: catalogue.definition.name, specRevision: catalogue.definition.revision,
      role: testCase.role, instance: instance, clock: conditions.clock, epoch: epoch, seed: conditions.seed,
      subject: subject, bindings: Self.bindings(instance, epoch: epoch))
    if let missing = missingCapability(testCase) {
      recorder.record(.end(.init(.unsupported, missing)))
      return Performed(transcript: Transcript(header: header, entries: recorder.entries), waited: .zero)
    }
    let watchdog = Watchdog(limit: conditions.timeLimit, allowance: conditions.reality(of: scenario.steps.span)) {
      recorder.halt(.init(.timeLimit, $0))
    }
    let ending = await withTaskCancellationHandler {
      await run(testCase, scenario, &header, clock, recorder)
    } onCancel: {
      recorder.halt(.init(.interrupted, "the run was interrupted"))
    }
    watchdog.cancel()
    recorder.record(.end(ending))
    let transcript = Transcript(header: header, entries: recorder.entries)
    return Performed(transcript: transcript, waited: recorder.waited)
  }

  /// The names that every case has: the time at its start, and a text that no other case and no other run has.
  static func bindings(_ instance: CaseInstance, epoch: Int) -> Bindings {
    // FNV-1a: the same case at the same time is the same text, so that a transcript can be played again.
    let hash = "\(instance)".utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let unique = String(epoch, radix: 36) + String(hash % 2_176_782_336, radix: 36)
    return ["now": .string(Timestamp(milliseconds: epoch).text), "unique": .string(unique)]
  }

  private func makeClock() -> CaseClock {
    switch conditions.clock {
    case .virtual: .virtual(VirtualClock())
    case .scaled: .running(RunningClock(scale: Double(conditions.scale), group: MultiThreadedEventLoopGroup.singleton))
    case .real: .running(RunningClock(scale: 1, group: MultiThreadedEventLoopGroup.singleton))
    }
  }

  private func missingCapability(_ testCase: Case) -> String? {
    testCase.needs.first { !subject.capabilities.contains($0) }
  }

  private func run(
    _ testCase: Case, _ scenario: Case.Scenario, _ header: inout TranscriptHeader, _ clock: CaseClock,
    _ recorder: Recorder
  ) async -> TranscriptEntry.Ending {
    do {
      switch plug {
      case .sdk(let pool):
        return try await run(sdk: pool, testCase, scenario, &header, clock, recorder)
      case .server(let find, let client, let checks):
        guard let server = find(header.instance.dialect) else {
          return .init(.unsupported, "dialect \(header.instance.dialect)")
        }
        header.bindings = header.bindings.merging(conditions.redaction(server.values))
        try await run(server: server, client, checks, scenario, header, clock, recorder)
        return .init(.completed)
      }
    } catch let halt as StepPlayer.Halt {
      return halt.ending
    } catch let failure as AdapterFailure {
      return failure.ending
    } catch {
      return .init(.kitError, "\(error)")
    }
  }

  private func run(
    server: ServerUnderTest, _ client: WireClient, _ checks: CommandChecks, _ scenario: Case.Scenario,
    _ header: TranscriptHeader, _ clock: CaseClock, _ recorder: Recorder
  ) async throws {
    let provisioner = Provisioner(hooks: server.hooks, checks: checks, recorder: recorder)
    let ports = CasePorts(
      catalogue: catalogue, header: header, recorder: recorder,
      pacer: Pacer(recorder: recorder, clock: clock, ask: { _ in nil }, noticeDepartures: {}), upstreams: [:],
      sdk: nil, server: Downstream(server: server, client: client, recorder: recorder), provisioner: provisioner)
    let outcome = await Result { () async throws in try await StepPlayer(ports: ports).play(scenario.steps) }
    await provisioner.finish()
    try outcome.get()
  }

  private func run(
    sdk pool: AdapterPool, _ testCase: Case, _ scenario: Case.Scenario, _ header: inout TranscriptHeader,
    _ clock: CaseClock, _ recorder: Recorder
  ) async throws -> TranscriptEntry.Ending {
    let storage = try StorageFolder()
    defer { storage.remove() }
    let upstreams = try await openUpstreams(testCase, header, clock, recorder)
    for upstream in upstreams { header.bindings[upstream.name] = upstream.address }
    let launch = Driver.Launch(
      storage: storage, clock: conditions.clock, scale: conditions.clock == .scaled ? conditions.scale : 1,
      epoch: header.epoch, seed: conditions.seed, environment: scenario.environment)
    let driver = Driver(pool: pool, launch: launch, recorder: recorder) { clock.now }
    let ports = CasePorts(
      catalogue: catalogue, header: header, recorder: recorder,
      pacer: Pacer(
        recorder: recorder, clock: clock, ask: { driver.ask($0) },
        noticeDepartures: { for upstream in upstreams { await upstream.noticeDepartures() } }),
      upstreams: Dictionary(upstreams.map { ($0.name, $0) }) { first, _ in first }, sdk: driver, server: nil,
      provisioner: nil)
    let outcome = await Result { () async throws in
      try await driver.start()
      try await StepPlayer(ports: ports).play(scenario.steps)
    }
    await driver.finish()
    for upstream in upstreams { await upstream.close() }
    try outcome.get()
    if let unused = upstreams.flatMap(\.unusedFaults).first {
      let text = "the fault '\(unused.word)' at '\(unused.upstream)' was armed and never fired"
      return .init(.faultUnused, text)
    }
    return .init(.completed)
  }

  private func openUpstreams(
    _ testCase: Case, _ header: TranscriptHeader, _ clock: CaseClock, _ recorder: Recorder
  ) async throws -> [Upstream] {
    var upstreams: [Upstream] = []
    for name in ["main"] + (testCase.namesDecoy ? ["decoy"] : []) {
      let server = makeServer(header.instance.dialect, conditions.seed)
      let book = ExchangeBook(exchanges: catalogue.exchanges, mount: name == "main" ? testCase.mount : "")
      let model = UpstreamModel(
        book: book, dialect: header.instance.dialect, models: catalogue.models, server: server)
      upstreams.append(
        try await Upstream.open(name: name, model: model, clock: clock, epoch: header.epoch, recorder: recorder))
    }
    return upstreams
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous piece of work came to.
  fileprivate init(_ work: () async throws -> Success) async {
    do {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}

extension Timestamp {
  /// The present.
  fileprivate static var now: Timestamp { Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1000)) }
}

extension AdapterFailure {
  /// How a case ends that meets this failure.
  fileprivate var ending: TranscriptEntry.Ending {
    switch kind {
    case .hung: .init(.adapterHung, text)
    case .broke, .handshake: .init(.adapterBroke, text)
    case .command, .start, .died, .ended: .init(.adapterDied, text)
    }
  }
}
