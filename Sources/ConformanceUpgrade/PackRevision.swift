/// Identifies a pack: the one with which a record was made, or the one in this kit.
package struct PackRevision: Hashable, Sendable {
  /// The version of the kit that made the record; nil for the pack in this kit.
  package var kit: String?
  package var revision: String
  package var digest: String

  /// The revision and the digest, such as `2026-03-12 (pack 5f1d2c3b)`.
  package var text: String { "\(revision) (pack \(digest.prefix(8)))" }
}
