/// The revision of a pack: of the pack with which a record was made, or of the pack in this kit.
package struct PackRevision: Hashable, Sendable {
  /// The kit that made the record; nil for this kit.
  package var kit: String?
  package var revision: String
  package var digest: String

  /// The revision and the digest, such as `2026-03-12 (pack 5f1d2c3b)`.
  package var text: String { "\(revision) (pack \(digest.prefix(8)))" }
}
