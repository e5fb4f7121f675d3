import ConformanceModel

/// What one run of a case came to: the transcript, and each verdict with what it means for the run.
public struct CaseResult: Sendable {
  /// A verdict and its disposition.
  public struct Settled: Hashable, Sendable {
    public var verdict: Verdict
    public var requirement: Requirement
    public var disposition: Disposition

    public init(verdict: Verdict, requirement: Requirement, disposition: Disposition) {
      self.verdict = verdict
      self.requirement = requirement
      self.disposition = disposition
    }
  }

  public var item: Plan.Item
  public var transcript: Transcript
  public var settled: [Settled]
  /// How long the performance took in reality.
  public var wall: Duration
  /// The part of it in which the kit waited for others.
  public var waited: Duration

  public init(item: Plan.Item, transcript: Transcript, settled: [Settled], wall: Duration, waited: Duration) {
    self.item = item
    self.transcript = transcript
    self.settled = settled
    self.wall = wall
    self.waited = waited
  }
}

/// How many verdicts came to which disposition.
public struct Tally: Hashable, Sendable {
  public private(set) var counts: [Disposition: Int] = [:]

  public init() {}

  public subscript(disposition: Disposition) -> Int { counts[disposition] ?? 0 }

  public mutating func add(_ disposition: Disposition) { counts[disposition, default: 0] += 1 }

  /// What the shell is told. An interrupted run could not be judged whole, and one that skipped everything not at all.
  public func exitCode(wasInterrupted: Bool) -> ExitCode {
    if self[.fail] > 0 { return .violations }
    let hasConclusion = counts.contains { $0.key != .skipped && $0.value > 0 }
    if self[.error] > 0 || wasInterrupted || !hasConclusion { return .unjudged }
    if self[.stale] > 0 { return .staleBaseline }
    return .conformant
  }
}
