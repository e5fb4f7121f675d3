import Concurrency
import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import Templates
import Testing

@testable import Adapters
@testable import ConformanceBench
@testable import ConformanceRunner
@testable import Processes
@testable import Proof
@testable import Recording

@Suite struct RunnerTests {
  private static func subject(_ capabilities: [String] = []) -> Subject {
    Subject(name: "s", version: "1", capabilities: capabilities)
  }

  /// A runner whose subject cannot be started. Every case ends with the death of the adapter.
  private static func runner(for plan: Plan) -> Runner {
    let pool = AdapterPool(
      command: ProgramCommand(executable: "/no/such/adapter"), definition: Sample.definition, kit: "test",
      limits: AdapterLimits(), checks: .none)
    let performance = CasePerformance(
      catalogue: Sample.catalogue, makeServer: { _, _ in Silence() }, subjects: ["sdk": subject()],
      plugs: .init(driven: pool),
      conditions: .init(kit: "test", timeLimit: .seconds(60)), pace: Pace(.virtual))
    return Runner(
      plan: plan, performance: performance, judge: Judge(catalogue: Sample.catalogue, checks: [:]),
      settlement: Settlement(gate: .stated), jobs: 2)
  }

  @Test func whatIsSkippedIsNotBegunAndLeavesItsEnd() async throws {
    var plan = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.table"]))
    plan.items[1].action = .skip(.capability("ears"))
    let collector = Collector()
    let tally = try await Self.runner(for: plan).run(for: collector)
    let endings = Dictionary(
      collector.results.map { ("\($0.transcript.header.instance)", $0.transcript.ending) }
    ) { first, _ in first }
    #expect(endings.count == 4)
    for (index, item) in plan.items.enumerated() {
      let ending = try #require(endings["\(item.instance)"])
      #expect(index == 1 ? ending == .init(.unsupported, "ears") : ending?.kind == .adapterDied)
    }
    let skipped = try #require(collector.results.first { $0.transcript.ending?.kind == .unsupported })
    #expect(skipped.transcript.entries.map(\.number) == [1])
    #expect(skipped.transcript.header.subjects == ["sdk": Self.subject()])
    #expect(skipped.settled.map(\.disposition) == [.skipped, .skipped])
    #expect(tally[.skipped] == 2)
    #expect(tally[.error] == 4)
  }

  @Test func whatIsInADialectThatTheAdapterDoesNotSpeakIsSkipped() throws {
    let plan = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.table[a]"]))
    let actions = plan.fitted(to: [Self.subject()], speaking: ["plain"]).items.map(\.action)
    #expect(actions == [.skip(.dialect("fancy")), .perform])
  }

  /// A case that waits ten minutes is performed; one that waits a day is skipped, unless the clock is virtual.
  @Test(
    arguments: [
      (LogicalTime("600s"), 1.0, nil), (LogicalTime("24h"), 1.0, .virtualClock(.seconds(86400))),
      (LogicalTime("90m"), 20.0, nil), (LogicalTime("24h"), 20.0, .virtualClock(.seconds(86400))),
      (LogicalTime("24h"), .infinity, nil),
    ] as [(LogicalTime?, Double, Lack?)])
  func whatNobodyWaitsForIsSkipped(away: LogicalTime?, scale: Double, lack: Lack?) throws {
    var plan = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.plain"]))
    plan.items[0].scenario.steps.append(Step(.restart(.init(ending: .clean, away: try #require(away)))))
    let actions = plan.bearable { .milliseconds($0.milliseconds / scale) }.items.map(\.action)
    #expect(actions == [lack.map { .skip($0) } ?? .perform])
  }

  @Test func whatSeveralCanDoTogetherIsNotSkipped() throws {
    var plan = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.plain"]))
    plan.items[0].testCase.needs = ["ears", "eyes"]
    #expect(plan.fitted(to: [Self.subject(["ears"]), Self.subject(["eyes"])]).items.map(\.action) == [.perform])
  }

  @Test func casesThatRunAloneComeAfterAllOthers() async throws {
    var plan = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.table"]))
    plan.items[0].testCase.runsAlone = true
    for index in plan.items.indices { plan.items[index].action = .skip(.capability("ears")) }
    let collector = Collector()
    _ = try await Self.runner(for: plan).run(for: collector)
    #expect(collector.results.last?.transcript.header.instance == plan.items[0].instance)
    #expect(collector.results.count == 4)
  }

  struct Fit: Sendable, CustomTestStringConvertible {
    var capabilities: [String]
    var needs: [String]
    var action: Plan.Action

    var testDescription: String { "\(needs) of \(capabilities)" }
  }

  @Test(
    arguments: [
      (640, 1600, 80), (80, 100, 10), (640, 24, 24), (640, 1, nil), (24, 20, 3), (10, 9, nil), (8, 1600, nil),
      (640, 0, nil),
    ] as [(Int, Int, Int?)])
  func whatIsInDoubtIsTriedAgainWithFewerAtOnce(limit: Int, doubtful: Int, next: Int?) {
    #expect(Runner.limit(after: limit, doubtful: doubtful) == next)
  }

  @Test(arguments: [(0, 10), (12, 10), (60, 20), (420, 140)])
  func triesDoubtfulCasesAgainForAThirdOfTheRun(span: Int, limit: Int) {
    #expect(Runner.retryTime(after: .seconds(span)) == .seconds(limit))
  }

  @Test(arguments: [(8, 9, true), (9, 9, false), (9, 71, false), (9, 72, true), (500, 4250, true), (600, 4250, false)])
  func whatGoesWrongInACrowdIsChanceOnlyIfItIsRare(crowded: Int, cases: Int, may: Bool) {
    #expect(Runner.mayBeChance(crowded, of: cases) == may)
  }

  /// A case with an adapter that seems to have waited for a processor for a span between two samples.
  private struct Crowd {
    let plan: Plan
    let performance: CasePerformance
    let pool: AdapterPool
    let attempts = LockedValue(0)

    init(clock: ClockMode, wait: Duration) async throws {
      let station = try await BeaconStation()
      let (catalogue, looks, attempts) = (station.catalogue, LockedValue(0), attempts)
      plan = try Plan(catalogue: catalogue, selection: Selection(dialects: ["one"], cases: ["signal.sent"]))
      pool = AdapterPool(
        command: station.adapter(), definition: catalogue.definition, kit: "test", limits: AdapterLimits(),
        checks: .none,
        processorWait: { _ in
          looks.change { $0 += 1 }
          return .init(waited: wait * looks.value)
        })
      performance = CasePerformance(
        catalogue: catalogue,
        makeServer: { _, _ in
          attempts.change { $0 += 1 }
          return Silence()
        },
        subjects: ["sdk": try await pool.meet(seed: 1).subject], plugs: .init(driven: pool),
        conditions: .init(kit: "test", timeLimit: .seconds(60)), pace: Pace(clock))
    }
  }

  @Test(
    arguments: [
      (.real, .seconds(10), true), (.real, .zero, false), (.virtual, .seconds(10), false),
    ] as [(ClockMode, Duration, Bool)])
  func whoeverGotNoProcessorWhileItsClockRanIsCrowded(clock: ClockMode, wait: Duration, isCrowded: Bool) async throws {
    let crowd = try await Crowd(clock: clock, wait: wait)
    let item = try #require(crowd.plan.items.first)
    let performed = await crowd.performance.perform(item.testCase, item.scenario, item.instance)
    await crowd.pool.close()
    #expect(crowd.performance.wasCrowded(performed) == isCrowded)
  }

  @Test(
    arguments: [
      (.virtual, .completed, 5000, false), (.virtual, .adapterHung, 300, true), (.virtual, .timeLimit, 300, true),
      (.virtual, .adapterHung, 200, false), (.real, .completed, 1100, true), (.real, .completed, 900, false),
      (.real, .adapterHung, 300, true), (.scaled, .completed, 60, true),
    ] as [(ClockMode, TranscriptEntry.Ending.Kind, Int, Bool)])
  func itShowsThatTheKitWasLateWhereTimeRunsOrALimitIsReached(
    clock: ClockMode, ending: TranscriptEntry.Ending.Kind, delay: Int, shows: Bool
  ) async throws {
    let crowd = try await Crowd(clock: clock, wait: .zero)
    let item = try #require(crowd.plan.items.first)
    var performed = crowd.performance.skip(item.testCase, item.instance, .capability("ears"))
    performed.transcript.entries[performed.transcript.entries.count - 1].event = .end(.init(ending))
    await crowd.pool.close()
    #expect(crowd.performance.mayShow(.milliseconds(delay), in: performed) == shows)
  }

  private final class Audience: Runner.Audience {
    let told = LockedValue<[String]>([])

    func doubt(_ doubt: RunRecord.Doubt) { told.change { $0.append("doubt") } }
    func result(_ result: CaseResult) { told.change { $0.append("result") } }
  }

  /// The result of the second attempt, with fewer cases beside it, counts and is reported once.
  @Test func whatGoesWrongInACrowdIsTriedAgain() async throws {
    let crowd = try await Crowd(clock: .real, wait: .seconds(10))
    let runner = Runner(
      plan: crowd.plan, performance: crowd.performance,
      judge: Judge(catalogue: crowd.performance.catalogue, checks: [:]), settlement: Settlement(gate: .stated), jobs: 2)
    let audience = Audience()
    _ = try await runner.run(for: audience)
    await crowd.pool.close()
    let told = audience.told.value
    #expect(told.first == "doubt" && told.last == "result" && told.count { $0 == "result" } == 1, "\(told)")
    // The case is tried more than twice if the machine delays the kit.
    #expect(crowd.attempts.value >= 2)
  }

  @Test(arguments: [
    Fit(capabilities: [], needs: [], action: .perform),
    Fit(capabilities: ["ears"], needs: ["ears"], action: .perform),
    Fit(capabilities: ["ears"], needs: ["ears", "eyes"], action: .skip(.capability("eyes"))),
    Fit(capabilities: [], needs: ["eyes", "ears"], action: .skip(.capability("eyes"))),
  ])
  func aPlanSkipsWhatTheSubjectIsNotCapableOf(fit: Fit) throws {
    var plan = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.plain"]))
    plan.items[0].testCase.needs = fit.needs
    #expect(plan.items[0].action == .perform)
    #expect(plan.fitted(to: [Self.subject(fit.capabilities)]).items.map(\.action) == [fit.action])
    // A plan that was fitted to one subject can be fitted to another.
    #expect(plan.fitted(to: [Self.subject()]).fitted(to: [Self.subject(fit.needs)]).items.map(\.action) == [.perform])
  }
}

/// A server that answers every request with 500.
private struct Silence: ServerModel {
  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    HTTPResponse(status: 500)
  }
}
