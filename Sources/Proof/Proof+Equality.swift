import ConformanceJudge
import ConformanceModel
import ConformanceRunner
import ConformanceVerdict

// The part of the proof that shows that verdicts do not depend on other cases.
extension Proof {
  /// For each defect, every requirement in `breaks` gets a filtered run. This is the largest number of further
  /// requirements that get one. It is small, since each filtered run takes time.
  private static let filteredRuns = 6
  /// If the verdicts of the two runs differ, both run again until each of them ran this many times. The defect can be a
  /// race, so that the verdict differs from run to run without any other case.
  private static let rounds = 4

  /// Compares, for each defect, the verdicts of the whole run with the verdicts of filtered runs and with the verdicts
  /// on each transcript alone.
  func equality(_ through: (String) -> Void) async throws -> [EqualityTrial] {
    guard let judge = material.equality.judge else { return [] }
    var trials: [EqualityTrial] = []
    try await material.equality.defects.forEachResult(atOnce: cores) { defect, substitute in
      try await equality(defect, substitute, judge)
    } _: { trial in
      trials.append(trial)
      through(trial.defect.rawValue)
    }
    return trials.sorted { $0.defect < $1.defect }
  }

  private func equality(_ defect: Defect, _ substitute: Substitute, _ judge: Judge) async throws -> EqualityTrial {
    var trial = EqualityTrial(defect: defect.id)
    let dialects = dialects(of: defect)
    let selection = Selection(roles: [substitute.role], dialects: dialects)
    let whole = try await verdicts(substitute, selection, gate: .strict)
    try trial.compare(whole) { try judge.verdicts(for: $0) }
    // For other requirements, which have neither a violation nor an unjudged verdict, a filtered run could differ only
    // by chance.
    let doubted = whole.doubtedRequirements
    var random = SeededRandom(seed: seed)
    let others = doubted.subtracting(defect.breaks).sorted().shuffled(using: &random).prefix(Self.filteredRuns)
    for requirement in defect.breaks.filter(doubted.contains) + others {
      let filter = Selection(roles: [substitute.role], dialects: dialects, requirements: [requirement])
      var (wholes, filtered) = ([whole], [try await verdicts(substitute, filter, gate: .strict)])
      var next = trial
      next.compare(wholes, requirement, filtered: filtered)
      while next.differences != trial.differences, filtered.count < Self.rounds {
        wholes.append(try await verdicts(substitute, selection, gate: .strict))
        filtered.append(try await verdicts(substitute, filter, gate: .strict))
        next = trial
        next.compare(wholes, requirement, filtered: filtered)
      }
      trial = next
    }
    return trial
  }
}
