import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformanceWire

/// Performs a plan's cases in parallel, judges each transcript, settles the verdicts, and hands each result on as soon as
/// it is there.
package struct Runner: Sendable {
  /// What the run tells as it goes.
  package protocol Audience: Sendable {
    /// A case went wrong, perhaps only because the machine was too busy. It is tried again, and its result follows.
    func doubt(_ doubt: RunRecord.Doubt) throws
    /// The next result, in the order in which the cases finish; one at a time.
    func result(_ result: CaseResult) throws
  }

  /// What comes of a case.
  private enum Arrival {
    case doubt(RunRecord.Doubt)
    case result(CaseResult)
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
    let hosts = judge.catalogue.definition.hosts
    let naming = Set(hosts.map(\.requirement))
    /// The names of the mock servers that the subject was seen to refuse, by the requirement it breaks by that.
    var refused: Set<RequirementID> = []
    func look(at result: CaseResult) {
      for settled in result.settled where naming.contains(settled.requirement.id) {
        if case .violates = settled.verdict.outcome { refused.insert(settled.requirement.id) }
      }
    }
    func take(_ arrival: Arrival) throws {
      guard case .result(let result) = arrival else {
        if case .doubt(let doubt) = arrival { try audience.doubt(doubt) }
        return
      }
      for settled in result.settled { tally.add(settled.disposition) }
      look(at: result)
      try audience.result(result)
    }
    // The name under which the mock servers are called is settled before anything else.
    let order = startOrder
    try await self.results(of: plan.soundings) { if case .result(let result) = $0 { look(at: result) } }
    try await self.results(of: order.filter { $0.judges(naming) }, take)
    let others = runner(calling: hosts.first { !refused.contains($0.requirement) })
    try await others.results(of: order.filter { !$0.judges(naming) }, take)
    return tally
  }

  /// The runner that calls the mock servers by a name which the subject takes; by the usual one where none is known.
  private func runner(calling host: ProtocolDefinition.Host?) -> Runner {
    var runner = self
    if let host { runner.performance = performance.naming(host) }
    return runner
  }

  /// Runs these, and hands each result on as soon as it is certain.
  private func results(of items: [Plan.Item], _ hand: (Arrival) throws -> Void) async throws {
    let alone = items.filter(\.testCase.runsAlone)
    let start = ContinuousClock.now
    // What looks bad while the machine let nobody run, or too many at once, is looked at again.
    var doubts = try await attempts(of: items.filter { !$0.testCase.runsAlone }.map { ($0, nil) }, atOnce: jobs, hand)
    let deadline = ContinuousClock.now + Self.retryTime(after: ContinuousClock.now - start)
    var limit = Self.limit(after: jobs, doubtful: doubts.count)
    while let atOnce = limit {
      doubts = try await attempts(of: doubts.map { ($0.item, $0.attempt) }, atOnce: atOnce, until: deadline, hand)
      limit = Self.limit(after: atOnce, doubtful: doubts.count)
    }
    try await doubts.forEachResult(atOnce: 1) { doubt in
      ContinuousClock.now < deadline ? try await resultAlone(of: doubt.item) : try hindered(doubt.item, doubt.attempt)
    } _: {
      try hand(.result($0))
    }
    // Cases that move what others share run when nobody else does.
    try await alone.forEachResult(atOnce: 1) { item in
      try await resultAlone(of: item)
    } _: {
      try hand(.result($0))
    }
  }

  /// How long doubtful cases are tried again in sum: a third of what the run took so far. A short run tries each again.
  static func retryTime(after span: Duration) -> Duration { max(span / 3, .seconds(10)) }

  /// How many of the cases that are in doubt run at once when they are tried again; nil where that is one after the other.
  /// While a clock runs most of them wait: a few at once may be few enough, and one by one they take up to hours.
  static func limit(after limit: Int, doubtful: Int) -> Int? {
    let next = min(limit / 8, doubtful)
    return next > 1 ? next : nil
  }

  /// Whether it can be chance that so many of the cases went wrong in which the subject got too little of a processor.
  /// What is tried again with an eighth at once takes no longer than all took if it is an eighth of them; of more it is
  /// rather the subject.
  static func mayBeChance(_ crowded: Int, of cases: Int) -> Bool { crowded <= max(8, cases / 8) }

  /// A case whose last attempt is in doubt.
  private struct Doubt {
    var item: Plan.Item
    var attempt: Attempt
    /// Whether it is the first attempt, of which nobody has heard yet.
    var isNew: Bool

    var line: RunRecord.Doubt {
      RunRecord.Doubt(
        instance: item.instance, reason: attempt.obstacle ?? "the subject got too little of a processor beside others")
    }
  }

  /// Runs these and hands on each result but those that are in doubt; gives these.
  ///
  /// - Parameter deadline: from when on a case keeps the attempt that it has.
  private func attempts(
    of items: [(item: Plan.Item, last: Attempt?)], atOnce limit: Int, until deadline: ContinuousClock.Instant? = nil,
    _ hand: (Arrival) throws -> Void
  ) async throws -> [Doubt] {
    var doubtful: [Doubt] = []
    var crowded: [Doubt] = []
    let count = items.count
    try await items.forEachResult(atOnce: limit) { item, last in
      if let last, let deadline, ContinuousClock.now >= deadline {
        return Doubt(item: item, attempt: last, isNew: false)
      }
      return Doubt(item: item, attempt: try await attempt(item), isNew: last == nil)
    } _: { doubt in
      if doubt.attempt.isDoubtful {
        doubtful.append(doubt)
        if doubt.isNew { try hand(.doubt(doubt.line)) }
      } else if doubt.attempt.isCrowded && doubt.attempt.wentWrong && limit > 1 {
        crowded.append(doubt)
        if doubt.isNew { try hand(.doubt(doubt.line)) }
      } else {
        try hand(.result(doubt.attempt.result))
      }
    }
    if Self.mayBeChance(crowded.count, of: count) { return doubtful + crowded }
    for doubt in crowded { try hand(.result(doubt.attempt.result)) }
    return doubtful
  }

  /// The order in which cases begin. Where waiting takes time, those that wait longest come first, since nothing is left
  /// to do beside one that begins last.
  private var startOrder: [Plan.Item] {
    guard performance.waits else { return plan.items }
    return plan.items.map { ($0, performance.leastSpan(of: $0.scenario)) }.enumerated()
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
  }

  /// What a case came to, and what the machine lacked meanwhile.
  private struct Attempt {
    var result: CaseResult
    /// Why the kit could not do its part; nil when nothing is known that kept it.
    var obstacle: String?
    /// Whether the subject may have come too late because so much ran beside it.
    var isCrowded: Bool

    /// Whether it may have gone wrong for want of the machine alone.
    var isDoubtful: Bool { obstacle != nil && wentWrong }

    var wentWrong: Bool {
      result.settled.contains { settled in
        switch settled.verdict.outcome {
        // A subject that waited too long for a starved kit may answer with an error of its own. So a wrong value is tried
        // again too, and counts if it comes again.
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
    return try hindered(item, attempt)
  }

  /// The result of an attempt; of one that is in doubt only what time does not explain.
  private func hindered(_ item: Plan.Item, _ attempt: Attempt) throws -> CaseResult {
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
      obstacle: obstacle(since: pulse, performed), isCrowded: performance.wasCrowded(performed))
  }

  private func obstacle(since start: SuspendingClock.Instant, _ performed: CasePerformance.Performed) -> String? {
    if let ending = performed.transcript.ending, ending.kind == .machine { return ending.text }
    if let lack = Shortages.shared.code(since: start).flatMap({ MachineLack(errno: $0) }) { return lack.text }
    let wasStopped = Heartbeat.shared.starved(since: start) > .zero
    let delay = Promptness.shared.worstDelay(since: start)
    guard wasStopped || performance.mayShow(delay, in: performed) else { return nil }
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
    case .skip(let lack): performance.skip(item.testCase, item.instance, lack)
    }
  }
}

extension Runner.Audience {
  /// Who asks for results alone hears nothing of doubts.
  package func doubt(_ doubt: RunRecord.Doubt) {}
}

extension Plan.Item {
  /// Whether it gives a verdict on one of these rules.
  func judges(_ rules: Set<RequirementID>) -> Bool { requirements.contains { rules.contains($0.id) } }
}

extension Transcript {
  /// The transcript of a case during which the machine kept the kit from its part: nothing in it speaks for or against
  /// anybody.
  fileprivate func hindered(by obstacle: String) -> Transcript {
    var transcript = self
    guard let last = entries.indices.last, case .end(let ending) = entries[last].event, ending.kind != .machine else {
      return self
    }
    let reason = TranscriptEntry.Ending.hindered(by: obstacle)
    transcript.entries[last].event = .end(
      ending.kind == .completed
        ? reason : .init(.machine, ending.text.isEmpty ? reason.text : "\(reason.text) (\(ending.text))"))
    return transcript
  }
}
