import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import ConformanceWire
import Processes
import Recording

/// Performs the cases of a plan in parallel, judges each transcript, decides by the gate and the baseline which
/// verdicts fail the run, and passes each result on immediately.
///
/// The pipeline of a run has these steps. Each step takes a value and returns a value. Only `perform` acts on subjects.
///
///     load     ConformanceSpec.CatalogueLoader    the files of a protocol   → Catalogue
///     plan     ConformanceRunner.Plan             Catalogue, Selection      → Plan.Item, one for each run of a case
///     perform  ConformanceBench.CasePerformance   Plan.Item                 → Transcript
///     judge    ConformanceJudge.Judge             Transcript                → [Verdict]
///     settle   ConformanceVerdict.Settlement      [Verdict], [Requirement]  → [SettledVerdict]
///     render   CommandInterface.RunReporter       CaseResult                → record, evidence, console, JUnit, HTML
package struct Runner: Sendable {
  /// The receiver of the results of a run.
  package protocol Audience: Sendable {
    /// Reports that a case failed, perhaps only because the machine was too busy. The kit tries the case again, and
    /// reports its result later.
    func doubt(_ doubt: RunRecord.Doubt) throws
    /// Reports the result of the case that has finished next. The calls do not overlap.
    func result(_ result: CaseResult) throws
  }

  /// A message about a case: a doubt about its failure, or its result.
  private enum Arrival {
    case doubt(RunRecord.Doubt)
    case result(CaseResult)
  }

  package let plan: Plan
  package private(set) var performance: CasePerformance
  package let judge: Judge
  package let settlement: Settlement
  /// The number of cases that run at the same time.
  package let jobs: Int

  package init(plan: Plan, performance: CasePerformance, judge: Judge, settlement: Settlement, jobs: Int) {
    self.plan = plan
    self.performance = performance
    self.judge = judge
    self.settlement = settlement
    self.jobs = jobs
  }

  /// Runs the plan. If the task is cancelled, running cases end as interrupted, and no further case begins.
  package func run(for audience: some Audience) async throws -> Tally {
    var tally = Tally()
    let hosts = judge.catalogue.definition.hosts
    let naming = Set(hosts.map(\.requirement))
    /// The requirements about host names that the subject violates, because it rejects mock servers with these names.
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
    // The host name of the mock servers is decided before any other case runs.
    let order = startOrder
    try await self.results(of: plan.soundings) { if case .result(let result) = $0 { look(at: result) } }
    try await self.results(of: order.filter { $0.judges(naming) }, take)
    let others = runner(calling: hosts.first { !refused.contains($0.requirement) })
    try await others.results(of: order.filter { !$0.judges(naming) }, take)
    return tally
  }

  /// This runner with mock servers that have this host name. If `host` is nil, they keep the default name.
  private func runner(calling host: ProtocolDefinition.Host?) -> Runner {
    var runner = self
    if let host { runner.performance = performance.naming(host) }
    return runner
  }

  /// Runs these cases, and passes each result on as soon as it is not in doubt.
  private func results(of items: [Plan.Item], _ hand: (Arrival) throws -> Void) async throws {
    let alone = items.filter(\.testCase.runsAlone)
    let start = ContinuousClock.now
    // A failure while the machine was overloaded is tried again.
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
    // A case that changes something shared runs when no other case does.
    try await alone.forEachResult(atOnce: 1) { item in
      try await resultAlone(of: item)
    } _: {
      try hand(.result($0))
    }
  }

  /// The total time that retries of cases in doubt may take, if the first attempts of all cases took the time `span`: a
  /// third of it, but at least ten seconds.
  static func retryTime(after span: Duration) -> Duration { max(span / 3, .seconds(10)) }

  /// The number of cases in doubt that are tried again at the same time; nil to try them one after the other. It is an
  /// eighth of the limit before. With a running clock, most cases only wait: a few at a time hardly disturb each other,
  /// but one after the other they could take hours.
  static func limit(after limit: Int, doubtful: Int) -> Int? {
    let next = min(limit / 8, doubtful)
    return next > 1 ? next : nil
  }

  /// Whether chance can explain that this number of cases failed while the subject got too little processor time. If
  /// more than an eighth of the cases failed in this way, the subject itself is the likely cause. To repeat an eighth
  /// of the cases takes no longer than the whole run, even with an eighth of the usual number at a time.
  static func mayBeChance(_ crowded: Int, of cases: Int) -> Bool { crowded <= max(8, cases / 8) }

  /// A case whose last attempt failed, perhaps only because the machine was too busy.
  private struct Doubt {
    var item: Plan.Item
    var attempt: Attempt
    /// Whether the last attempt was the first one, so that the doubt is not reported yet.
    var isNew: Bool

    var line: RunRecord.Doubt {
      RunRecord.Doubt(
        instance: item.instance, reason: attempt.obstacle ?? "the subject got too little of a processor beside others")
    }
  }

  /// Runs these cases and passes on each result that is not in doubt. Returns the cases in doubt.
  ///
  /// - Parameter deadline: the instant after which no case is tried again; the last attempt of a case then counts.
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

  /// The order in which cases begin. If waits take real time, the longest cases begin first. If a long case began last,
  /// it would run alone.
  private var startOrder: [Plan.Item] {
    guard performance.waits else { return plan.items }
    return plan.items.map { ($0, performance.leastSpan(of: $0.scenario)) }.enumerated()
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
  }

  /// The result of a case, and whether the machine was too busy during the case.
  private struct Attempt {
    var result: CaseResult
    /// The reason why the kit was delayed; nil without a delay.
    var obstacle: String?
    /// Whether the subject may have been late because other cases ran at the same time.
    var isCrowded: Bool

    /// Whether the case failed, and a busy machine may be the only cause.
    var isDoubtful: Bool { obstacle != nil && wentWrong }

    var wentWrong: Bool {
      result.settled.contains { settled in
        switch settled.verdict.outcome {
        // A subject that waits too long for the kit may answer with an error of its own. So a wrong value is tried
        // again, too, and counts if it occurs again.
        case .violates, .unjudged: true
        case .conforms, .notApplicable: false
        }
      }
    }
  }

  /// The result of a case that runs while no other case runs. If the first attempt is in doubt, the kit tries the case
  /// again. If the second attempt is in doubt, too, its late or missing observations do not count as violations.
  private func resultAlone(of item: Plan.Item) async throws -> CaseResult {
    var attempt = try await attempt(item)
    if attempt.isDoubtful { attempt = try await self.attempt(item) }
    return try hindered(item, attempt)
  }

  /// The result of the attempt. If the attempt is in doubt, the only findings that count are those that a delay of the
  /// kit cannot explain.
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
      settled: settlement.settle(
        try judge.verdicts(for: transcript), on: item.requirements, after: transcript.ending?.kind),
      wall: wall, waited: waited)
  }

  private func performed(_ item: Plan.Item) async -> CasePerformance.Performed {
    switch item.action {
    case .perform: await performance.perform(item.testCase, item.scenario, item.instance)
    case .skip(let lack): performance.skip(item.testCase, item.instance, lack)
    }
  }
}

extension Runner.Audience {
  /// The default: doubts are ignored.
  package func doubt(_ doubt: RunRecord.Doubt) {}
}

extension Plan.Item {
  /// Whether this run of a case gives a verdict on one of these requirements.
  func judges(_ rules: Set<RequirementID>) -> Bool { requirements.contains { rules.contains($0.id) } }
}

extension Transcript {
  /// This transcript with an ending which reports that the kit was delayed, so that missing or late observations prove
  /// nothing.
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
