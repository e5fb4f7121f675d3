/// The meaning of a verdict for the run: a total function of outcome, level, basis, gate and baseline.
package enum Disposition: String, CaseIterable, Sendable {
  case pass
  /// A requirement of the gate is violated.
  case fail
  /// A violation of a requirement outside the gate, or an observation.
  case advisory
  /// A violation that the baseline expects, or a verdict that is unjudged because of one.
  case known
  /// The baseline expects a violation that is gone.
  case stale
  /// The kit could not decide.
  case error
  /// The requirement is not applicable to this subject.
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

/// The violations that fail a run.
package enum Gate: String, CaseIterable, Sendable {
  /// MUST and MUST NOT that the documents state or publish.
  case stated
  /// Those of ``stated``, and the kit's positions.
  case positions
  /// Those of ``positions``, and SHOULD and SHOULD NOT.
  case strict

  /// Whether a violation of a requirement with this level and basis fails the run.
  package func demands(_ level: Requirement.Level, _ basis: Requirement.Basis) -> Bool {
    let isWritten = basis == .stated || basis == .published
    return switch (self, level) {
    case (_, .must), (_, .mustNot): isWritten || (self != .stated && basis == .position)
    case (.strict, .should), (.strict, .shouldNot): isWritten || basis == .position
    default: false
    }
  }
}

/// The exit code of the process.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case conformant = 0
  case violations = 1
  case badInput = 2
  case unjudged = 3
  case staleBaseline = 4
  /// A certificate was valid and has expired.
  case expired = 5
}
