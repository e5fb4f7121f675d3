import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformanceWire

/// Performs a plan's cases in parallel, judges each transcript, settles the verdicts, and hands each result on as soon as
/// it is there.
package struct Runner: Sendable {
  /// What the run tells as it goes.
  package protocol Audience: Sendable {
    /// The next result, in the order in which the cases finish; one at a time.
    func result(_ result: CaseResult) throws
  }

  package let plan: Plan
  package private(set) var performance: CasePerformance
  package let judge: Judge
  package let settlement: Settlement
  /// How many cases are performed at once.
  package let jobs: Int

  package init(plan: Plan, performance: CasePerformance, judge: Judge, settlement: Settlement, jobs: Int) {
    self.plan = plan
    self.performance = performance
    self.judge = judge
    self.settlement = settlement
    self.jobs = jobs
  }

  /// Runs the plan. When the task is cancelled, cases under way end as interrupted and no further ones begin.
  package func run(for audience: some Audience) async throws -> Tally {
    var tally = Tally()
    func tell(_ result: CaseResult) throws {
      for settled in result.settled { tally.add(settled.disposition) }
      try audience.result(result)
    }
    var causes = RootCauses(plan.items.flatMap(\.requirements), settlement)
    let hosts = judge.catalogue.definition.hosts
    let naming = Set(hosts.map(\.requirement))
    let ground = causes.rules.union(naming)
    // What others rest on comes first, and what may have its cause there waits until that is known.
    var waiting: [CaseResult] = []
    func take(_ result: CaseResult) throws {
      for settled in result.settled where ground.contains(settled.requirement.id) { causes.note(settled) }
      if result.settled.contains(where: causes.mayExcuse) { waiting.append(result) } else { try tell(result) }
    }
    let order = startOrder.stages(naming, ground)
    try await results(of: order[0], take)
    let others = runner(calling: hosts.first { !causes.isBroken($0.requirement) })
    try await others.results(of: order[1], take)
    for result in waiting { try tell(result.weighed(by: causes)) }
    try await others.results(of: order[2]) { try tell($0.weighed(by: causes)) }
    return tally
  }

  /// The runner that calls the mock servers by a name which the subject takes; by the usual one where none is known.
  private func runner(calling host: ProtocolDefinition.Host?) -> Runner {
    var runner = self
    if let host { runner.performance = performance.naming(host) }
    return runner
  }

  /// Runs these, and hands each result on as soon as it is certain.
  private func results(of items: [Plan.Item], _ hand: (CaseResult) throws -> Void) async throws {
    var alone = items.filter(\.testCase.runsAlone)
    try await items.filter { !$0.testCase.runsAlone }.forEachResult(atOnce: jobs) { item in
      (item, try await attempt(item))
    } _: { item, attempt in
      // What looks bad while the machine let nobody run is looked at again before anything is said.
      if attempt.isDoubtful { alone.append(item) } else { try hand(attempt.result) }
    }
    // Cases that move what others share run when nobody else does, and so do those that are in doubt.
    try await alone.forEachResult(atOnce: 1) { item in
      try await resultAlone(of: item)
    } _: {
      try hand($0)
    }
  }

  /// The order of the plan; where waiting takes time, the cases that wait longest come first, since nothing is left to
  /// do beside one that begins last.
  private var startOrder: [Plan.Item] {
    guard performance.waits else { return plan.items }
    return plan.items.enumerated().sorted {
      ($1.element.scenario.span, $0.offset) < ($0.element.scenario.span, $1.offset)
    }.map(\.element)
  }

  /// What a case came to, and what the machine lacked meanwhile.
  private struct Attempt {
    var result: CaseResult
    /// Why the kit could not do its part; nil when nothing is known that kept it.
    var obstacle: String?

    /// Whether it may have gone wrong for want of the machine alone.
    var isDoubtful: Bool {
      obstacle != nil
        && result.settled.contains { settled in
          switch settled.verdict.outcome {
          case .violates, .unjudged: true
          case .conforms, .notApplicable: false
          }
        }
    }
  }

  /// The result of a case beside which nothing else runs; one that is in doubt even so cannot be judged.
  private func resultAlone(of item: Plan.Item) async throws -> CaseResult {
    var attempt = try await attempt(item)
    if attempt.isDoubtful { attempt = try await self.attempt(item) }
    guard attempt.isDoubtful, let obstacle = attempt.obstacle else { return attempt.result }
    return try result(
      of: item, attempt.result.transcript.hindered(by: obstacle), wall: attempt.result.wall,
      waited: attempt.result.waited)
  }

  private func attempt(_ item: Plan.Item) async throws -> Attempt {
    let start = ContinuousClock.now
    let pulse = SuspendingClock.now
    let performed = await performed(item)
    let wall = ContinuousClock.now - start
    return Attempt(
      result: try result(of: item, performed.transcript, wall: wall, waited: performed.waited),
      obstacle: obstacle(since: pulse, performed.transcript.ending))
  }

  private func obstacle(since start: SuspendingClock.Instant, _ ending: TranscriptEntry.Ending?) -> String? {
    if let ending, ending.kind == .machine { return ending.text }
    if let lack = Shortages.shared.code(since: start).flatMap({ MachineLack(errno: $0) }) { return lack.text }
    guard Heartbeat.shared.starved(since: start) > .zero || performance.wasLate(since: start) else { return nil }
    return "the machine did not let the kit run in time"
  }

  private func result(
    of item: Plan.Item, _ transcript: Transcript, wall: Duration, waited: Duration
  ) throws -> CaseResult {
    CaseResult(
      testCase: item.testCase, transcript: transcript,
      settled: settlement.settle(try judge.verdicts(for: transcript), on: item.requirements), wall: wall,
      waited: waited)
  }

  private func performed(_ item: Plan.Item) async -> CasePerformance.Performed {
    switch item.action {
    case .perform: await performance.perform(item.testCase, item.scenario, item.instance)
    case .skip(let capability): performance.skip(item.testCase, item.instance, lacking: capability)
    }
  }
}

extension Plan.Item {
  /// Whether it gives a verdict on one of these rules.
  fileprivate func judges(_ rules: Set<RequirementID>) -> Bool { requirements.contains { rules.contains($0.id) } }
}

extension [Plan.Item] {
  /// Those that judge rules of the first set, those that judge others of the second, and the rest.
  fileprivate func stages(_ first: Set<RequirementID>, _ second: Set<RequirementID>) -> [[Plan.Item]] {
    let stages = Dictionary(grouping: self) { $0.judges(first) ? 0 : $0.judges(second) ? 1 : 2 }
    return (0...2).map { stages[$0] ?? [] }
  }
}

extension CaseResult {
  /// The result in the light of the rules that are broken.
  fileprivate func weighed(by causes: RootCauses) -> CaseResult {
    var result = self
    result.settled = settled.map(causes.weigh)
    return result
  }
}

extension Transcript {
  /// The transcript of a case during which the machine kept the kit from its part: nothing in it speaks for or against
  /// anybody.
  fileprivate func hindered(by obstacle: String) -> Transcript {
    var transcript = self
    guard let last = entries.indices.last, case .end(let ending) = entries[last].event, ending.kind != .machine else {
      return self
    }
    let reason = "\(obstacle), also when no other case ran: try again when less is going on"
    transcript.entries[last].event = .end(.init(.machine, ending.text.isEmpty ? reason : "\(reason) (\(ending.text))"))
    return transcript
  }
}
