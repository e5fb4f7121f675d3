import ConformanceJudge
import ConformanceModel
import ConformanceVerdict
import TextKit

/// Mutates the transcripts of correct subjects, in every way and place, and judges them again. A mutation that no claim
/// detects shows a gap in the catalogue, or a freedom of the specification.
struct MutantTrials: Sendable {
  /// A mutant of one of the results.
  private struct Candidate {
    var result: Int
    var mutant: Mutant
  }

  /// The number of transcripts for a kind of mutation that no claim has to detect: enough to see that a claim detects
  /// it by now.
  private static let sampleOfExplained = 40

  private let judge: Judge
  private let reasons: [EquivalentMutant]
  private let results: [CaseResult]

  /// - Parameters:
  ///   - reasons: the reasons why no claim has to detect some kinds; the first matching reason is used.
  ///   - results: of correct subjects, in any order; those that could not be judged are left out.
  init(judge: Judge, reasons: [EquivalentMutant], results: [CaseResult]) {
    self.judge = judge
    self.reasons = reasons
    // The samples, and the order of mutants, must not depend on which case ended first.
    self.results = results.filter { result in
      result.transcript.ending?.kind == .completed && result.settled.contains { $0.verdict.outcome == .conforms }
    }.map { ("\($0.transcript.header.instance)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Tries mutants of every kind until one of the kind is detected; several kinds run at the same time.
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

  /// A verdict that became a violation.
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
  /// At most so many elements, at equal distances from the first on.
  fileprivate func spread(over count: Int) -> [Element] {
    guard self.count > count else { return self }
    return (0..<count).map { self[$0 * self.count / count] }
  }
}
