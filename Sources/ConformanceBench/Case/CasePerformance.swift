import ConformanceModel
import ConformanceWire
import NIOCore
import NIOPosix

/// Performs one case against the subjects that take part in it and comes back with the transcript: the only place that
/// touches the world.
package struct CasePerformance: Sendable {
  /// Who is plugged in, port by port.
  package struct Plugs: Sendable {
    /// The processes of the adapter that drives the subject.
    package var driven: AdapterPool?
    /// The subjects that are called.
    package var called: SlotPool?

    package init(driven: AdapterPool? = nil, called: SlotPool? = nil) {
      self.driven = driven
      self.called = called
    }
  }

  /// A transcript, and what went by while it came about.
  package struct Performed: Sendable {
    package var transcript: Transcript
    /// How long the kit waited for others.
    package var waited = Duration.zero
    /// How long the subject was ready to go on and got no processor.
    package var processorWait = Duration.zero

    /// Whether it ended because something took too long.
    var reachedLimit: Bool { transcript.ending.map { [.adapterHung, .timeLimit].contains($0.kind) } ?? false }
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
    /// What all cases together keep.
    package var budget: EvidenceBudget
    /// Makes the subject wrong in one way, to prove the kit.
    package var bender: Bender?
    /// What speaks TLS for the mock servers of cases that ask for it.
    package var tls: (any ServerTLS)?
    /// Exchanges as a subject says them that has a wire of its own.
    package var wire: [Exchange]

    package init(
      kit: String, clock: ClockMode, scale: Int = 20, seed: UInt64, timeLimit: Duration, redaction: Redaction,
      budget: EvidenceBudget = EvidenceBudget(), bender: Bender? = nil, tls: (any ServerTLS)? = nil,
      wire: [Exchange] = []
    ) {
      self.kit = kit
      self.clock = clock
      self.scale = scale
      self.seed = seed
      self.timeLimit = timeLimit
      self.redaction = redaction
      self.budget = budget
      self.bender = bender
      self.tls = tls
      self.wire = wire
    }

    /// - Throws: what says that this program brings no TLS.
    func tlsOfServers() throws -> any ServerTLS {
      guard let tls else { throw MissingTLS() }
      return tls
    }

    /// The logical time that a span in reality is; with a virtual clock none has to do with the other.
    func logical(_ span: Duration) -> LogicalTime {
      .milliseconds(span / .milliseconds(1) * (clock == .scaled ? Double(scale) : 1))
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

  /// How long a logical time takes in reality.
  package func reality(of time: LogicalTime) -> Duration { conditions.reality(of: time) }

  /// How long the scenario waits when nothing goes wrong, in logical time.
  package func leastSpan(of scenario: Case.Scenario) -> LogicalTime {
    let window = plugs.driven?.hello?.retryWindow
    return scenario.span(.best(rest: window.map { $0 + Stillness.margin }))
  }

  /// Whether it may show in what was performed that the kit was late with its own part by so much at most.
  ///
  /// A virtual clock waits for it, but the limits of adapters and cases do not: of a hundred exchanges, each as late,
  /// comes a subject that seems to hang.
  package func mayShow(_ delay: Duration, in performed: Performed) -> Bool {
    performed.reachedLimit && delay > Pulse.busyMachine || waits && conditions.logical(delay) > Promptness.tolerance
  }

  /// Whether the subject got no processor for so long that it may have come too late.
  package func wasCrowded(_ performed: Performed) -> Bool {
    conditions.logical(performed.processorWait) > Promptness.tolerance
  }

  package let catalogue: Catalogue
  /// The exchanges as each dialect of the protocol asks for them.
  let tables: [Dialect: ExchangeTable]
  let makeServer: @Sendable (Dialect, UInt64) -> any ServerModel
  let oracle: ProtocolPack.Oracle?
  /// Who takes part, by the role each plays.
  package let subjects: [Role: Subject]
  /// Names that every case has besides: what an adapter declares.
  let given: Bindings
  let plugs: Plugs
  let conditions: Conditions
  /// The name under which the subject is told of the mock servers of a case.
  private(set) var host = UpstreamPort.loopback

  package init(
    catalogue: Catalogue, makeServer: @escaping @Sendable (Dialect, UInt64) -> any ServerModel,
    oracle: ProtocolPack.Oracle? = nil, subjects: [Role: Subject], given: Bindings = [:], plugs: Plugs,
    conditions: Conditions
  ) {
    self.catalogue = catalogue
    tables = Dictionary(
      catalogue.definition.dialects.map { ($0, ExchangeTable(catalogue.exchanges, dialect: $0)) },
      uniquingKeysWith: { first, _ in first })
    self.makeServer = makeServer
    self.oracle = oracle
    self.subjects = subjects
    self.given = given
    self.plugs = plugs
    self.conditions = conditions
  }

  /// The same, with mock servers that are called by this name.
  package func naming(_ host: ProtocolDefinition.Host) -> CasePerformance {
    var performance = self
    performance.host = host.name
    return performance
  }

  /// Plays the case. Never throws: whatever goes wrong is the transcript's last entry.
  package func perform(_ testCase: Case, _ scenario: Case.Scenario, _ instance: CaseInstance) async -> Performed {
    // It notices nothing before its first use.
    _ = Promptness.shared
    let clock = makeClock()
    let epoch = epoch(of: instance)
    let recorder = Recorder(redact: conditions.redaction, budget: conditions.budget) { clock.now }
    var header = header(testCase, instance, epoch: epoch)
    let watchdog = Watchdog(limit: conditions.timeLimit, allowance: conditions.reality(of: scenario.span(.worst))) {
      recorder.halt(.init(.timeLimit, $0))
    }
    let ending = await withTaskCancellationHandler {
      await CaseLoops.shared.lend { loop in
        let setUp = CaseSetUp(
          performance: self, testCase: testCase, scenario: scenario, clock: clock, loop: loop, recorder: recorder,
          watchdog: watchdog)
        return await withTaskExecutorPreference(isPlayedOnLoop ? LoopExecutor(loop) : nil) { await run(setUp, &header) }
      }
    } onCancel: {
      recorder.halt(.init(.interrupted, "the run was interrupted"))
    }
    watchdog.cancel()
    recorder.record(.end(ending))
    let transcript = Transcript(header: header, entries: recorder.entries)
    return Performed(transcript: transcript, waited: recorder.waited, processorWait: recorder.processorWait)
  }

  /// Whether a case is played on the loop of its mocks, and not on any thread. What is played in real time, or calls its
  /// subject, has others to wait for meanwhile, and must not be late.
  var isPlayedOnLoop: Bool { conditions.clock == .virtual && plugs.called == nil }

  private func header(_ testCase: Case, _ instance: CaseInstance, epoch: Int) -> TranscriptHeader {
    TranscriptHeader(
      kit: conditions.kit, protocolName: catalogue.definition.name, specRevision: catalogue.definition.revision,
      packDigest: catalogue.digest, role: testCase.role, instance: instance, caseDigest: testCase.digest,
      clock: conditions.clock, epoch: epoch, seed: conditions.seed,
      subjects: subjects.mapValues { conditions.redaction($0) },
      bindings: conditions.redaction(given).merging(Self.bindings(instance, epoch: epoch)))
  }

  /// The names that every case has: the time and the day at its start, and a text that no other case and no other run has.
  static func bindings(_ instance: CaseInstance, epoch: Int) -> Bindings {
    let unique = String(epoch, radix: 36) + String("\(instance)".stableHash % 2_176_782_336, radix: 36)
    let now = Timestamp(milliseconds: epoch).text
    return ["now": .string(now), "today": .string(String(now.prefix { $0 != "T" })), "unique": .string(unique)]
  }

  /// Logical time zero: drawn where time is logical, and otherwise now.
  private func epoch(of instance: CaseInstance) -> Int {
    waits ? Timestamp.now.milliseconds : CaseDraw(instance, seed: conditions.seed).epoch
  }

  private func makeClock() -> CaseClock {
    switch conditions.clock {
    case .virtual: .virtual(VirtualClock())
    case .scaled: .running(RunningClock(scale: Double(conditions.scale), group: MultiThreadedEventLoopGroup.singleton))
    case .real: .running(RunningClock(scale: 1, group: MultiThreadedEventLoopGroup.singleton))
    }
  }

  /// What a case comes to that is not begun, since the subject lacks something: a header and an end.
  package func skip(_ testCase: Case, _ instance: CaseInstance, _ lack: Lack) -> Performed {
    let epoch = epoch(of: instance)
    let end = TranscriptEntry(number: 1, at: .zero, event: .end(.init(lack)))
    return Performed(transcript: Transcript(header: header(testCase, instance, epoch: epoch), entries: [end]))
  }

  private func run(_ setUp: CaseSetUp, _ header: inout TranscriptHeader) async -> TranscriptEntry.Ending {
    do {
      let slot = try await plugs.called?.take(header.instance.dialect)
      if plugs.called != nil, slot == nil { return .init(.dialect(header.instance.dialect)) }
      let outcome = await Result { () async throws in try await run(setUp, slot, &header) }
      if let slot { await plugs.called?.giveBack(slot) }
      return try outcome.get()
    } catch let halt as StepPlayer.Halt {
      return halt.ending
    } catch let failure as AdapterFailure {
      return failure.ending
    } catch let problem as ProvisioningProblem {
      // One more process of the subject did not come up: nothing that the kit did.
      return .init(.adapterDied, "\(problem)")
    } catch {
      return MachineLack(error).map { .init(.machine, $0.text) } ?? .init(.kitError, "\(error)")
    }
  }

  /// Opens what the case needs, plays it, and closes what was opened, whatever happens.
  private func run(
    _ setUp: CaseSetUp, _ slot: Slot?, _ header: inout TranscriptHeader
  ) async throws -> TranscriptEntry.Ending {
    let recorder = setUp.recorder
    let storage = try plugs.driven.map { _ in try StorageFolder() }
    defer { storage?.remove() }
    let own = try await setUp.openPorts(besides: slot?.ports ?? [])
    let mock = setUp.makeMock(header, own + (slot?.ports ?? []), lent: slot?.server.values ?? [:])
    header.bindings = header.bindings.merging(mock.bindings)
    if let slot { header.bindings = header.bindings.merging(conditions.redaction(slot.server.bindings)) }
    let driver = storage.flatMap { setUp.makeDriver(header, $0, mock, own) }
    let called = slot.flatMap { setUp.makeDownstream($0, mock, in: header.instance.dialect) }
    let pacer = setUp.makePacer(slot, mock, driver, called)
    let ports = setUp.makePorts(header, slot, mock, driver, called, pacer)
    slot?.listen { recorder.record(.output($0)) }
    let outcome = await Result { () async throws in
      try await driver?.start()
      try await StepPlayer(ports: ports).play(setUp.scenario)
    }
    await driver?.finish()
    await ports.provisioner?.finish()
    await ports.called?.finish()
    slot?.listen(nil)
    await mock.leave()
    for port in own { await port.close() }
    await slot?.noticeEnd(afterFailure: recorder.hasFailedRequest)
    // Whatever else went wrong follows from the subject's death.
    if let death = slot?.death { return death }
    try outcome.get()
    return ending(of: mock, recorder)
  }

  /// How a case ends in which every step was played.
  private func ending(of mock: Mock, _ recorder: Recorder) -> TranscriptEntry.Ending {
    if let unused = mock.unusedFaults.first {
      let cause = recorder.unreturned.map { "'\($0)' never returned, and " } ?? ""
      return .init(.faultUnused, cause + "the fault '\(unused.word)' (\(unused.place)) was armed and never fired")
    }
    return .init(.completed)
  }
}

/// A case wants TLS of mock servers, and the program that plays them brings none.
private struct MissingTLS: Error, CustomStringConvertible {
  var description: String { "a case has services with TLS, and nothing that speaks it was given to the run" }
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
