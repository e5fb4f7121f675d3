import ConformanceBench
import ConformanceJudge
import ConformanceModel

/// Performs a plan's cases in parallel, judges each transcript, settles the verdicts, and hands the results on in the
/// order of the plan.
package struct Runner: Sendable {
  /// What the run tells as it goes.
  package protocol Audience: Sendable {
    /// The next result in the order of the plan.
    func result(_ result: CaseResult) throws
  }

  package let plan: Plan
  package let performance: CasePerformance
  package let judge: Judge
  package let gate: Gate
  /// How many cases are performed at once.
  package let jobs: Int

  package init(plan: Plan, performance: CasePerformance, judge: Judge, gate: Gate, jobs: Int) {
    self.plan = plan
    self.performance = performance
    self.judge = judge
    self.gate = gate
    self.jobs = jobs
  }

  /// Runs the plan. When the task is cancelled, cases under way end as interrupted and no further ones begin.
  package func run(for audience: some Audience) async throws -> Tally {
    var tally = Tally()
    var inOrder = InOrder<CaseResult>()
    func tell(_ results: [CaseResult]) throws {
      for result in results {
        for settled in result.settled { tally.add(settled.disposition) }
        try audience.result(result)
      }
    }
    try await startOrder.forEachResult(atOnce: jobs) { index, item in
      (index, try await result(of: item))
    } _: { index, result in
      try tell(inOrder.take(result, at: index))
    }
    // After an interruption there are gaps: what was performed is still told, in order.
    try tell(inOrder.rest())
    return tally
  }

  /// The order of the plan; where waiting takes time, the cases that wait longest come first, since nothing is left to
  /// do beside one that begins last.
  private var startOrder: [(offset: Int, element: Plan.Item)] {
    let items = Array(plan.items.enumerated())
    guard performance.waits else { return items }
    return items.sorted { ($1.element.scenario.steps.span, $0.offset) < ($0.element.scenario.steps.span, $1.offset) }
  }

  private func result(of item: Plan.Item) async throws -> CaseResult {
    let start = ContinuousClock.now
    let performed = await performance.perform(item.testCase, item.scenario, item.instance)
    let wall = ContinuousClock.now - start
    let verdicts = try judge.verdicts(for: performed.transcript)
    let settled = item.requirements.compactMap { requirement in
      verdicts.first { $0.requirement == requirement.id }.map { settle($0, requirement) }
    }
    return CaseResult(
      item: item, transcript: performed.transcript, settled: settled, wall: wall, waited: performed.waited)
  }

  private func settle(_ verdict: Verdict, _ requirement: Requirement) -> CaseResult.Settled {
    let disposition = Disposition(
      outcome: verdict.outcome, level: requirement.level, basis: requirement.basis, gate: gate, isInBaseline: false)
    return CaseResult.Settled(verdict: verdict, requirement: requirement, disposition: disposition)
  }
}

/// Puts values that come in any order back into theirs.
struct InOrder<Value> {
  private var early: [Int: Value] = [:]
  private var next = 0

  /// The values that can go out now that this one is there.
  mutating func take(_ value: Value, at index: Int) -> [Value] {
    early[index] = value
    var ready: [Value] = []
    while let value = early.removeValue(forKey: next) {
      ready.append(value)
      next += 1
    }
    return ready
  }

  /// What is left, in order, when some values will never come.
  mutating func rest() -> [Value] {
    defer { early = [:] }
    return early.sorted { $0.key < $1.key }.map(\.value)
  }
}
