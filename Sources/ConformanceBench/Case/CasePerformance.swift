import Adapters
import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceWire
import MockServices
import NIOCore
import NIOPosix
import Processes
import Recording
import ServerRules
import Subjects
import Templates

/// Performs one case with its subjects, and returns the transcript. It opens and closes the processes, sockets and
/// other resources that the case uses.
package struct CasePerformance: Sendable {
  /// The connections to the subjects: one for the driver port, and one for the port at which the kit calls a subject.
  package struct Plugs: Sendable {
    /// The processes of the adapter that drives the subject.
    package var driven: AdapterPool?
    /// The slots of the subject that the kit calls.
    package var called: SlotPool?

    package init(driven: AdapterPool? = nil, called: SlotPool? = nil) {
      self.driven = driven
      self.called = called
    }
  }

  /// A transcript, and the times measured while it was recorded.
  package struct Performed: Sendable {
    package var transcript: Transcript
    /// The time that the kit waited for adapters, servers and slots.
    package var waited = Duration.zero
    /// The time for which the subject could have run but got no processor.
    package var processorWait = Duration.zero

    /// Whether the case ended because of a time limit.
    var reachedLimit: Bool { transcript.ending.map { [.adapterHung, .timeLimit].contains($0.kind) } ?? false }
  }

  /// Whether a wait of a case takes real time. It does so unless the clock is virtual.
  package var waits: Bool { pace.clock != .virtual }

  /// The real time in which this logical time passes.
  package func reality(of time: LogicalTime) -> Duration { pace.reality(of: time) }

  /// The shortest logical time that the scenario can take: the subject conforms and answers at once.
  package func leastSpan(of scenario: Case.Scenario) -> LogicalTime {
    let window = plugs.driven?.hello?.retryWindow
    return scenario.span(.best(rest: window.map { $0 + Stillness.margin }))
  }

  /// Whether a delay of the kit may have changed a transcript. `delay` is the longest possible delay.
  ///
  /// A virtual clock waits for the kit, but the limits of adapters and cases do not wait. For example, if each of a
  /// hundred exchanges is delayed, the subject seems to hang, and the case ends because of a limit.
  package func mayShow(_ delay: Duration, in performed: Performed) -> Bool {
    performed.reachedLimit && delay > Pulse.busyMachine || waits && pace.logical(delay) > Promptness.tolerance
  }

  /// Whether the subject waited so long for a processor that its actions may have been late.
  package func wasCrowded(_ performed: Performed) -> Bool {
    pace.logical(performed.processorWait) > Promptness.tolerance
  }

  package let catalogue: Catalogue
  /// Maps each dialect to the exchanges of the protocol in this dialect.
  let tables: [Dialect: ExchangeTable]
  let makeServer: @Sendable (Dialect, UInt64) -> any ServerModel
  let oracle: ProtocolPack.Oracle?
  package let subjects: [Role: Subject]
  /// The values that the adapter declares. Every case can refer to them by name.
  let given: Bindings
  let plugs: Plugs
  let conditions: RunConditions
  let pace: Pace
  /// Limits how much evidence all cases together may record.
  let budget: EvidenceBudget
  /// The host name in the addresses of mock servers.
  private(set) var host = UpstreamPort.loopback

  package init(
    catalogue: Catalogue, makeServer: @escaping @Sendable (Dialect, UInt64) -> any ServerModel,
    oracle: ProtocolPack.Oracle? = nil, subjects: [Role: Subject], given: Bindings = [:], plugs: Plugs,
    conditions: RunConditions, pace: Pace, budget: EvidenceBudget = EvidenceBudget()
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
    self.pace = pace
    self.budget = budget
  }

  /// A copy whose mock servers have this host name in their addresses.
  package func naming(_ host: ProtocolDefinition.Host) -> CasePerformance {
    var performance = self
    performance.host = host.name
    return performance
  }

  /// Performs the case. It never throws: an error becomes the last entry of the transcript.
  package func perform(_ testCase: Case, _ scenario: Case.Scenario, _ instance: CaseInstance) async -> Performed {
    // The first use of this object starts its measurements.
    _ = Promptness.shared
    let clock = makeClock()
    let epoch = epoch(of: instance)
    let trace = conditions.trace.map { trace in { @Sendable (entry: TranscriptEntry) in trace(instance, entry) } }
    let recorder = Recorder(redact: conditions.redaction, budget: budget, trace: trace) { clock.now }
    var header = header(testCase, instance, epoch: epoch)
    let watchdog = Watchdog(limit: conditions.timeLimit, allowance: pace.reality(of: scenario.span(.worst))) {
      recorder.halt(.init(.timeLimit, $0))
    }
    let ending = await withTaskCancellationHandler {
      await CaseLoops.shared.withLeastBusy { loop in
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

  /// Whether the steps of a case run on the event loop of its mocks. The steps of a case in real time, and of a case
  /// that calls its subject, run on other threads, because they would block the loop while they wait.
  var isPlayedOnLoop: Bool { pace.clock == .virtual && plugs.called == nil }

  private func header(_ testCase: Case, _ instance: CaseInstance, epoch: Int) -> TranscriptHeader {
    TranscriptHeader(
      kit: conditions.kit, protocolName: catalogue.definition.name, specRevision: catalogue.definition.revision,
      packDigest: catalogue.digest, role: testCase.role, instance: instance, caseDigest: testCase.digest,
      clock: pace.clock, epoch: epoch, seed: conditions.seed,
      subjects: subjects.mapValues { conditions.redaction($0) },
      bindings: conditions.redaction(given).merging(instance.bindings(epoch: epoch)))
  }

  /// The wall clock at logical time zero: random with a virtual clock, and the current time otherwise.
  private func epoch(of instance: CaseInstance) -> Int {
    waits ? Timestamp.now.milliseconds : CaseDraw(instance, seed: conditions.seed).epoch
  }

  private func makeClock() -> CaseClock {
    switch pace.clock {
    case .virtual: .virtual(VirtualClock())
    case .scaled: .running(RunningClock(scale: Double(pace.scale), group: MultiThreadedEventLoopGroup.singleton))
    case .real: .running(RunningClock(scale: 1, group: MultiThreadedEventLoopGroup.singleton))
    }
  }

  /// The transcript of a case that is skipped because the subject lacks something: a header and an ending.
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
    } catch let halt as CaseHalt {
      return halt.ending
    } catch let failure as ProgramFailure {
      return failure.ending
    } catch let problem as ProvisioningProblem {
      // A further process of the subject did not start. This is not an error of the kit.
      return .init(.adapterDied, "\(problem)")
    } catch {
      return MachineLack(error).map { .init(.machine, $0.text) } ?? .init(.kitError, "\(error)")
    }
  }

  /// Opens the ports and processes of the case, and performs the case. Closes all ports and processes at the end, even
  /// after an error.
  private func run(
    _ setUp: CaseSetUp, _ slot: Slot?, _ header: inout TranscriptHeader
  ) async throws -> TranscriptEntry.Ending {
    let recorder = setUp.recorder
    let storage = try plugs.driven.map { _ in try StorageFolder() }
    defer { storage?.remove() }
    let own = try await setUp.openPorts(besides: slot?.ports ?? [])
    let clients = ClientAddresses(unique: header.bindings["unique"]?.string ?? "")
    let mock = setUp.makeMock(header, own + (slot?.ports ?? []), slot, clients)
    if let slot { header.bindings = header.bindings.merging(conditions.redaction(slot.server.bindings)) }
    // An SDK gets the addresses of the kit, even for the services of a server under test.
    header.bindings = header.bindings.merging(mock.bindings)
    let driver = storage.flatMap { setUp.makeDriver(header, $0, mock, own) }
    let called = slot.flatMap { setUp.makeDownstream($0, mock, in: header.instance.dialect) }
    let pacer = setUp.makePacer(slot, mock, driver, called)
    let ports = setUp.makePorts(header, slot, mock, driver, called, pacer, clients)
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
    // Any other problem follows from the subject's death.
    if let death = slot?.death { return death }
    try outcome.get()
    return ending(of: mock, recorder)
  }

  /// The ending of a case whose steps were all performed.
  private func ending(of mock: Mock, _ recorder: Recorder) -> TranscriptEntry.Ending {
    if let unused = mock.unusedFaults.first {
      let cause = recorder.unreturned.map { "'\($0)' never returned, and " } ?? ""
      return .init(.faultUnused, cause + "the fault '\(unused.word)' (\(unused.place)) was armed and never fired")
    }
    return .init(.completed)
  }
}

extension Result where Failure == any Error {
  /// Runs the work, and stores the value that it returns or the error that it throws.
  fileprivate init(_ work: () async throws -> Success) async {
    do {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
