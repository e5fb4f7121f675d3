/// The result of a run in one word, and the gaps of the run.
package struct Conclusion: Hashable, Sendable {
  /// The possible results. Reports show only ``conformant`` in green.
  package enum Word: String, CaseIterable, Sendable {
    case conformant
    /// Violations occurred, but the baseline expects all of them.
    case known = "conformant-but-for-known"
    case notConformant = "not-conformant"
    /// Nothing failed, but the kit could not judge a requirement.
    case unjudged
    /// Nothing failed, but the run has gaps.
    case incomplete
    case staleBaseline = "stale-baseline"

    package var exitCode: ExitCode {
      switch self {
      case .conformant, .known: .conformant
      case .notConformant: .violations
      case .unjudged, .incomplete: .unjudged
      case .staleBaseline: .staleBaseline
      }
    }
  }

  package var word: Word
  /// One sentence for each gap. A run with violations may also have gaps.
  package var reasons: [String]

  package init(_ word: Word, _ reasons: [String] = []) {
    self.word = word
    self.reasons = reasons
  }

  package var exitCode: ExitCode { word.exitCode }

  /// The word is about the worst fact that occurs. From the worst, these are: a failure, an unjudged requirement, a
  /// gap, a stale entry of the baseline, a known violation.
  package init(_ tally: Tally, missing reasons: [String] = []) {
    self.reasons = reasons
    word =
      if tally[.fail] > 0 { .notConformant } else if tally[.error] > 0 { .unjudged } else if !reasons.isEmpty {
        .incomplete
      } else if tally[.stale] > 0 { .staleBaseline } else { tally[.known] > 0 ? .known : .conformant }
  }
}
