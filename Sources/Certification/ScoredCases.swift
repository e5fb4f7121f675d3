import ConformanceModel

/// The cases of a frozen set of the protocol. Only their verdicts count for a certificate.
package struct ScoredCases: Hashable, Sendable {
  /// The revision of the set.
  package var revision: String
  /// The digest of the set.
  package var digest: String
  /// Maps the name of each case in the set to its digest.
  package var cases: [String: String]

  package init(revision: String, digest: String, cases: [String: String]) {
    self.revision = revision
    self.digest = digest
    self.cases = cases
  }
}
