/// What a verdict means for the run: one total function of outcome, level, basis, gate and baseline.
package enum Disposition: String, CaseIterable, Sendable {
  case pass
  /// A required rule is violated.
  case fail
  /// A violation of a rule that the gate does not demand, or an observation.
  case advisory
  /// A violation that the baseline expects, or what could not be judged because of one.
  case known
  /// The baseline expects a violation that is no longer there.
  case stale
  /// The kit could not tell.
  case error
  /// Not applicable to this subject.
  case skipped

  package init(
    outcome: Verdict.Outcome, level: Requirement.Level, basis: Requirement.Basis, gate: Gate, isInBaseline: Bool
  ) {
    switch outcome {
    case .conforms: self = isInBaseline ? .stale : .pass
    case .violates where isInBaseline: self = .known
    case .violates: self = gate.demands(level, basis) ? .fail : .advisory
    case .unjudged: self = isInBaseline ? .known : .error
    case .notApplicable: self = .skipped
    }
  }
}

/// Which violations fail a run.
package enum Gate: String, CaseIterable, Sendable {
  /// MUST and MUST NOT that the documents state or publish.
  case stated
  /// Those, and the kit's positions.
  case positions
  /// Those, and SHOULD and SHOULD NOT.
  case strict

  /// Whether the violation of such a rule fails the run.
  package func demands(_ level: Requirement.Level, _ basis: Requirement.Basis) -> Bool {
    let isWritten = basis == .stated || basis == .published
    return switch (self, level) {
    case (_, .must), (_, .mustNot): isWritten || (self != .stated && basis == .position)
    case (.strict, .should), (.strict, .shouldNot): isWritten || basis == .position
    default: false
    }
  }
}

/// How a run ended, as the shell sees it.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case conformant = 0
  case violations = 1
  case badInput = 2
  case unjudged = 3
  case staleBaseline = 4
  /// A certificate was valid, and its time is over.
  case expired = 5
}
