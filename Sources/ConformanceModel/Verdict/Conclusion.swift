/// How a run ended, in one word, and what is missing from it.
package struct Conclusion: Hashable, Sendable {
  /// The words; only ``conformant`` is green.
  package enum Word: String, CaseIterable, Sendable {
    case conformant
    /// Nothing fails but what the baseline expects.
    case known = "conformant-but-for-known"
    case notConformant = "not-conformant"
    /// The kit could not tell.
    case unjudged
    /// Nothing is wrong as far as was seen, and not all was seen.
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
  /// What is missing, a sentence each; a run with violations may lack something, too.
  package var reasons: [String]

  package init(_ word: Word, _ reasons: [String] = []) {
    self.word = word
    self.reasons = reasons
  }

  package var exitCode: ExitCode { word.exitCode }

  /// The worst decides; what is missing counts more than a baseline that could be shorter.
  package init(_ tally: Tally, missing reasons: [String] = []) {
    self.reasons = reasons
    word =
      if tally[.fail] > 0 { .notConformant } else if tally[.error] > 0 { .unjudged } else if !reasons.isEmpty {
        .incomplete
      } else if tally[.stale] > 0 { .staleBaseline } else { tally[.known] > 0 ? .known : .conformant }
  }
}
