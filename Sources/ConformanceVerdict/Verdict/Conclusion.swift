/// The result of a run in one word, and the gaps of the run.
package struct Conclusion: Hashable, Sendable {
  /// The words. Only ``conformant`` is shown in green.
  package enum Word: String, CaseIterable, Sendable {
    case conformant
    /// The baseline expects every violation.
    case known = "conformant-but-for-known"
    case notConformant = "not-conformant"
    /// The kit could not decide.
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

  /// The worst disposition decides the word. A gap is worse than a stale entry of the baseline.
  package init(_ tally: Tally, missing reasons: [String] = []) {
    self.reasons = reasons
    word =
      if tally[.fail] > 0 { .notConformant } else if tally[.error] > 0 { .unjudged } else if !reasons.isEmpty {
        .incomplete
      } else if tally[.stale] > 0 { .staleBaseline } else { tally[.known] > 0 ? .known : .conformant }
  }
}
