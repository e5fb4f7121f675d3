import ConformanceModel
import ConformanceTranscript

/// A verdict, its requirement, and its disposition: the meaning of the verdict for the run.
package struct SettledVerdict: Hashable, Sendable {
  package var verdict: Verdict
  package var requirement: Requirement
  package var disposition: Disposition
  /// The reason of the baseline entry that expects the verdict; nil if no entry expects it.
  package var baseline: String?

  package init(verdict: Verdict, requirement: Requirement, disposition: Disposition, baseline: String? = nil) {
    self.verdict = verdict
    self.requirement = requirement
    self.disposition = disposition
    self.baseline = baseline
  }
}

/// The gate and the baseline of a run, which decide the disposition of each verdict. All code that needs a disposition
/// gets it from this type.
package struct Settlement: Hashable, Sendable {
  package var gate: Gate

  /// The known violations.
  package var baseline: BaselineTerms

  package init(gate: Gate, baseline: BaselineTerms = BaselineTerms()) {
    self.gate = gate
    self.baseline = baseline
  }

  /// Whether a violation of the requirement fails the run, unless the baseline expects the violation.
  package func demands(_ requirement: Requirement) -> Bool { gate.demands(requirement.level, requirement.basis) }

  /// The verdict with its disposition.
  ///
  /// - Parameter ending: the way in which the run of the case ended; nil if it is unknown.
  package func settle(
    _ verdict: Verdict, on requirement: Requirement, after ending: TranscriptEntry.Ending.Kind? = nil
  ) -> SettledVerdict {
    let meaning = settle(verdict, requirement.level, requirement.basis, after: ending)
    return SettledVerdict(
      verdict: verdict, requirement: requirement, disposition: meaning.disposition, baseline: meaning.baseline)
  }

  /// The disposition of a verdict about a requirement with this level and basis, and the reason in the baseline if an
  /// entry expects the verdict.
  package func settle(
    _ verdict: Verdict, _ level: Requirement.Level, _ basis: Requirement.Basis,
    after ending: TranscriptEntry.Ending.Kind? = nil
  ) -> (disposition: Disposition, baseline: String?) {
    let entry = baseline.entry(expecting: verdict, after: ending)
    let disposition = Disposition(
      outcome: verdict.outcome, level: level, basis: basis, gate: gate, isInBaseline: entry != nil)
    return (disposition, entry?.explanation)
  }

  /// The verdicts about these requirements with their dispositions, in the order of the requirements.
  package func settle(
    _ verdicts: [Verdict], on requirements: [Requirement], after ending: TranscriptEntry.Ending.Kind? = nil
  ) -> [SettledVerdict] {
    requirements.compactMap { requirement in
      verdicts.first { $0.requirement == requirement.id }.map { settle($0, on: requirement, after: ending) }
    }
  }
}
