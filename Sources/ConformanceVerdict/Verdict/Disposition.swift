import ConformanceModel

/// The meaning of a verdict for the run. It follows from outcome, level, basis, gate and baseline alone.
package enum Disposition: String, CaseIterable, Sendable {
  case pass
  /// A requirement is violated, and the gate contains its level and basis.
  case fail
  /// A requirement is violated, but the gate does not contain its level or basis.
  case advisory
  /// A requirement is violated or unjudged, and the baseline expects this.
  case known
  /// The subject conforms to a requirement, but the baseline expects a violation.
  case stale
  /// The kit could not judge a requirement, and the baseline does not expect this.
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

/// The exit code of the process.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case conformant = 0
  case violations = 1
  case badInput = 2
  case unjudged = 3
  case staleBaseline = 4
  /// A certificate was valid, but has expired.
  case expired = 5
}
