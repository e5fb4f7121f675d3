import ConformanceModel
import ConformanceTranscript
import Digests
import JSONKit
import Templates

/// The facts that the issuer adds to a record to make a certificate. The rest of the signed statement is computed from
/// the record.
package struct Certificate: Hashable, Sendable {
  /// A file that the certificate is about, such as the package of an SDK.
  package struct Artifact: Hashable, Sendable {
    package var name: String
    /// SHA-256 in hexadecimal digits.
    package var digest: String

    package init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  package var tier: String
  /// The name that the issuer uses for itself.
  package var issuer: String?
  package var issued: Timestamp
  package var expires: Timestamp
  package var recordDigest: String
  package var artifacts: [Artifact]
  /// The digest of the findings; nil if the tier has no submission requirements.
  package var findingsDigest: String?
  /// The digest of the challenge in the bundle; nil for a bundle without a challenge.
  package var challengeDigest: String?
  /// The digest of the protocol's files in the bundle; nil for a bundle without these files.
  package var packFilesDigest: String?

  package init(
    tier: CertificationTier, issuer: String?, issued: Timestamp, recordDigest: String, artifacts: [Artifact],
    findingsDigest: String?, challengeDigest: String? = nil, packFilesDigest: String? = nil
  ) {
    self.tier = tier.name
    self.issuer = issuer
    self.issued = issued
    expires = Self.expiry(of: tier, issued)
    self.recordDigest = recordDigest
    self.artifacts = artifacts
    self.findingsDigest = findingsDigest
    self.challengeDigest = challengeDigest
    self.packFilesDigest = packFilesDigest
  }

  /// One digest for all files; nil without any file. `files` maps the name of each file to its digest. The result
  /// is the digest of the text that `sha256sum` prints for the files, sorted by the bytes of their names.
  package static func packDigest(of files: [String: String]) -> String? {
    if files.isEmpty { return nil }
    let lines = files.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
    let text = lines.map { "\($0.value)  \($0.key)\n" }.joined()
    return String(decoding: SHA256.hash(text.utf8).hexadecimal, as: UTF8.self)
  }

  /// The moment at which a certificate of a tier expires.
  package static func expiry(of tier: CertificationTier, _ issued: Timestamp) -> Timestamp {
    issued.adding(days: tier.validDays)
  }

  /// The end of the days of grace in this tier. Until then, the certificate counts although it has expired.
  package func graceEnd(in tier: CertificationTier) -> Timestamp {
    expires.adding(days: tier.graceDays)
  }

  /// The type of an in-toto statement.
  package static let statementType = "https://in-toto.io/Statement/v1"
  /// The types of the predicates in the two signed statements: the kit's own type, and in-toto's type `test-result`.
  package static let predicateType = "https://conform.example/conformance/v1"
  package static let testResultType = "https://in-toto.io/attestation/test-result/v0.1"

  /// One sentence for each contradiction between the times of the certificate, the times of the record, the validity of
  /// the tier, and `now`.
  package func timeProblems(of facts: RecordFacts, tier: CertificationTier, at now: Timestamp) -> [String] {
    var problems: [String] = []
    if let started = Timestamp(facts.header.startedAt) {
      let end = Timestamp(milliseconds: started.milliseconds + Int(facts.end?.duration ?? 0))
      if end.milliseconds > issued.milliseconds {
        problems.append("the run ended at \(end.text), after the certificate was issued at \(issued.text)")
      }
    }
    if issued.milliseconds > now.milliseconds {
      problems.append("the certificate is issued at \(issued.text), and it is \(now.text) now: check the clock")
    }
    if expires != Self.expiry(of: tier, issued) {
      problems.append("the certificate ends at \(expires.text), not \(tier.validDays) days after it was issued")
    }
    return problems
  }

  /// Whether the certificate has expired at a moment.
  package func isExpired(at now: Timestamp) -> Bool { expires.milliseconds <= now.milliseconds }
}

extension Certificate {
  /// Reads the issuer's facts in a signed statement.
  package init(statement field: JSONField) throws(JSONField.Problem) {
    try Self.expect(field, "_type", Self.statementType)
    try Self.expect(field, "predicateType", Self.predicateType)
    let subjects = try field.required("subject")
    artifacts = []
    for subject in try subjects.elements() {
      let digest = try subject.required("digest").required("sha256").string()
      artifacts.append(Artifact(name: try subject.required("name").string(), digest: digest))
    }
    guard artifacts.first?.name == BundleName.record else {
      throw subjects.problem(expected: "the record '\(BundleName.record)' as the first subject")
    }
    recordDigest = artifacts.removeFirst().digest
    let predicate = try field.required("predicate")
    tier = try predicate.required("tier").string()
    issuer = try predicate.optional("issuer")?.string()
    issued = try predicate.required("issued").timestamp()
    expires = try predicate.required("expires").timestamp()
    findingsDigest = try predicate.optional("findings")?.string()
    challengeDigest = try predicate.optional("challenge")?.string()
    packFilesDigest = try predicate.optional("packFiles")?.string()
  }

  private static func expect(_ field: JSONField, _ key: String, _ value: String) throws(JSONField.Problem) {
    let member = try field.required(key)
    guard try member.string() == value else {
      throw member.problem(expected: "'\(value)': a later version needs a later kit")
    }
  }
}

extension JSONField {
  func timestamp() throws(Problem) -> Timestamp {
    guard let time = Timestamp(try string()) else { throw problem(expected: "an ISO 8601 time with a zone") }
    return time
  }
}

extension SubjectBuild {
  /// The files that the adapter named in its answer to `hello`, sorted by path.
  package var artifacts: [Certificate.Artifact] {
    files.sorted { $0.key < $1.key }.map { Certificate.Artifact(name: $0.key, digest: $0.value) }
  }
}
