import ConformanceJudge
import ConformanceModel
import ConformanceVerdict
import TextKit

/// Applies every mutation to the transcripts of correct subjects, and judges the results. A mutation that no claim
/// detects shows a gap in the catalogue, or behaviour that the specification leaves open.
struct MutantTrials: Sendable {
  /// A mutant, and the index of the result whose transcript it changes.
  private struct Candidate {
    var result: Int
    var mutant: Mutant
  }

  /// The number of mutants that are tried if no claim has to detect their kind. The sample shows whether a claim
  /// detects the kind after all.
  private static let sampleOfExplained = 40

  private let judge: Judge
  private let reasons: [EquivalentMutant]
  private let results: [CaseResult]

  /// - Parameters:
  ///   - reasons: the reasons why no claim has to detect some kinds of mutants. The first matching reason is used.
  ///   - results: the results of correct subjects, in any order. Results without a conforming verdict are left out.
  init(judge: Judge, reasons: [EquivalentMutant], results: [CaseResult]) {
    self.judge = judge
    self.reasons = reasons
    // The samples, and the order of mutants, must not depend on which case ended first.
    self.results = results.filter { result in
      result.transcript.ending?.kind == .completed && result.settled.contains { $0.verdict.outcome == .conforms }
    }.map { ("\($0.transcript.header.instance)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Tries the mutants of each kind until one is detected. `jobs` kinds are tried at the same time.
  func run(jobs: Int) async throws -> [ProofReport.MutantTrial] {
    let kinds = Dictionary(grouping: candidates, by: \.mutant.kind).sorted { $0.key < $1.key }
    var trials: [ProofReport.MutantTrial] = []
    try await kinds.forEachResult(atOnce: jobs) { kind, candidates in
      try trial(kind, candidates)
    } _: {
      trials.append($0)
    }
    return trials.sorted { $0.kind < $1.kind }
  }

  private var candidates: [Candidate] {
    results.indices.flatMap { index in
      Mutator(results[index].transcript).mutants.map { Candidate(result: index, mutant: $0) }
    }
  }

  private func trial(_ kind: MutantKind, _ candidates: [Candidate]) throws -> ProofReport.MutantTrial {
    let explanation = reasons.first { $0.includes(kind) }
    let tried = explanation == nil ? candidates : candidates.spread(over: Self.sampleOfExplained)
    var killer: Verdict?
    for candidate in tried where killer == nil {
      try Task.checkCancellation()
      killer = try self.killer(of: candidate)
    }
    return ProofReport.MutantTrial(
      kind: kind, count: candidates.count, example: results[candidates[0].result].transcript.header.instance,
      killer: killer, explanation: killer == nil ? explanation : nil)
  }

  /// The first verdict that conforms without the mutation and is a violation with it; nil if no claim detects the
  /// mutation.
  private func killer(of candidate: Candidate) throws -> Verdict? {
    let result = results[candidate.result]
    let conforming = Set(result.settled.filter { $0.verdict.outcome == .conforms }.map(\.requirement.id))
    return try judge.verdicts(for: candidate.mutant.applied(to: result.transcript)).first { verdict in
      guard case .violates = verdict.outcome else { return false }
      return conforming.contains(verdict.requirement)
    }
  }
}

extension EquivalentMutant {
  func includes(_ kind: MutantKind) -> Bool { Wildcard(pattern).matches("\(kind)") }
}

extension Array {
  /// At most `count` elements, evenly spaced, beginning with the first.
  fileprivate func spread(over count: Int) -> [Element] {
    guard self.count > count else { return self }
    return (0..<count).map { self[$0 * self.count / count] }
  }
}
