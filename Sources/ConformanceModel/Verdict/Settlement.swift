/// A verdict, the requirement it is about, and what it means for the run.
package struct SettledVerdict: Hashable, Sendable {
  package var verdict: Verdict
  package var requirement: Requirement
  package var disposition: Disposition

  package init(verdict: Verdict, requirement: Requirement, disposition: Disposition) {
    self.verdict = verdict
    self.requirement = requirement
    self.disposition = disposition
  }
}

/// The terms of a run by which verdicts get their meaning: the one place that decides it.
package struct Settlement: Hashable, Sendable {
  package var gate: Gate

  package init(gate: Gate) { self.gate = gate }

  /// Whether a violation of the requirement fails the run.
  package func demands(_ requirement: Requirement) -> Bool { gate.demands(requirement.level, requirement.basis) }

  /// What an outcome of the requirement means.
  package func disposition(of outcome: Verdict.Outcome, _ requirement: Requirement) -> Disposition {
    Disposition(
      outcome: outcome, level: requirement.level, basis: requirement.basis, gate: gate, isInBaseline: false)
  }

  /// The verdicts on these requirements with what they mean, in the order of the requirements.
  package func settle(_ verdicts: [Verdict], on requirements: [Requirement]) -> [SettledVerdict] {
    requirements.compactMap { requirement in
      verdicts.first { $0.requirement == requirement.id }.map { verdict in
        SettledVerdict(
          verdict: verdict, requirement: requirement, disposition: disposition(of: verdict.outcome, requirement))
      }
    }
  }
}
