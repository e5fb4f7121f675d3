import ConformanceModel

/// What one run of a case came to: the transcript, and each verdict with what it means for the run.
package struct CaseResult: Sendable {
  /// A verdict and its disposition.
  package struct Settled: Hashable, Sendable {
    package var verdict: Verdict
    package var requirement: Requirement
    package var disposition: Disposition

    package init(verdict: Verdict, requirement: Requirement, disposition: Disposition) {
      self.verdict = verdict
      self.requirement = requirement
      self.disposition = disposition
    }
  }

  package var item: Plan.Item
  package var transcript: Transcript
  package var settled: [Settled]
  /// How long the performance took in reality.
  package var wall: Duration
  /// The part of it in which the kit waited for others.
  package var waited: Duration

  package init(item: Plan.Item, transcript: Transcript, settled: [Settled], wall: Duration, waited: Duration) {
    self.item = item
    self.transcript = transcript
    self.settled = settled
    self.wall = wall
    self.waited = waited
  }
}

/// How many verdicts came to which disposition.
package struct Tally: Hashable, Sendable {
  package private(set) var counts: [Disposition: Int] = [:]

  package init() {}

  package subscript(disposition: Disposition) -> Int { counts[disposition] ?? 0 }

  package mutating func add(_ disposition: Disposition) { counts[disposition, default: 0] += 1 }

  /// What the shell is told. An interrupted run could not be judged whole, and one that skipped everything not at all.
  package func exitCode(wasInterrupted: Bool) -> ExitCode {
    if self[.fail] > 0 { return .violations }
    let hasConclusion = counts.contains { $0.key != .skipped && $0.value > 0 }
    if self[.error] > 0 || wasInterrupted || !hasConclusion { return .unjudged }
    if self[.stale] > 0 { return .staleBaseline }
    return .conformant
  }
}
