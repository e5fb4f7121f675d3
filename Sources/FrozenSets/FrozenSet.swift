import ConformanceModel
import ConformanceSpec
import JSONKit

/// The requirements and cases that the certificates of a revision are about. A set never changes. If the protocol
/// changes, the protocol gets a new set.
package struct FrozenSet: Hashable, Sendable {
  /// The revision of the protocol. If a revision has several sets, this name ends with a number in the later sets, such
  /// as `v3-2`.
  package var revision: String
  /// The day from which the set takes effect, `YYYY-MM-DD`.
  package var since: String
  /// Maps the id of each requirement to the SHA-256 of its role, level and sentence.
  package var requirements: [String: String]
  /// Maps the id of each case to the digest of the case; transcripts contain the same digests.
  package var cases: [String: String]

  package init(revision: String, since: String, requirements: [String: String], cases: [String: String]) {
    self.revision = revision
    self.since = since
    self.requirements = requirements
    self.cases = cases
  }

  /// The SHA-256 of the set's contents.
  package var digest: String {
    let value = JSON.object(compact: [
      ("revision", .string(revision)), ("since", .string(since)), ("requirements", Self.json(requirements)),
      ("cases", Self.json(cases)),
    ])
    return Digest.of(Array(value.compactText.utf8))
  }

  private static func json(_ digests: [String: String]) -> JSON {
    .object(compact: digests.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
  }
}

extension FrozenSet {
  /// The folder of the sets, below the folder of the protocol.
  package static let folder = "requirements/frozen"

  /// Reads a file that its schema has accepted.
  package init(_ field: JSONField) throws(JSONField.Problem) {
    revision = try field.required("revision").string()
    since = try field.required("since").string()
    requirements = try Self.digests(field.required("requirements"))
    cases = try Self.digests(field.required("cases"))
  }

  private static func digests(_ field: JSONField) throws(JSONField.Problem) -> [String: String] {
    var digests: [String: String] = [:]
    for member in try field.members() { digests[member.key] = try member.field.string() }
    return digests
  }

  /// The text of the set's file, `REVISION.yaml`.
  package var text: String {
    func lines(_ digests: [String: String]) -> String {
      digests.sorted { $0.key < $1.key }.map { "  \($0.key): \"\($0.value)\"\n" }.joined()
    }
    return """
      # The requirements and cases that certificates of this revision are about. 'conform freeze' writes it, once.
      kit: \(ProtocolDefinition.formVersion)
      revision: "\(revision)"
      since: "\(since)"
      digest: "\(digest)"
      requirements:
      \(lines(requirements))cases:
      \(lines(cases))
      """
  }
}
