import Certification
import CommandInterface
import ConformanceModel
import ConformanceSpec
import Files
import FoundationEssentials
import Records
import Templates
import TextKit

/// All inputs from which a certificate is made.
package struct CertificateRequest {
  package var tier: CertificationTier
  /// The path of the run record. The evidence is in the same folder.
  package var record: String
  /// The files of the SDK or server.
  package var artifacts: [Certificate.Artifact]
  /// The name that the issuer uses for itself.
  package var issuer: String?
  package var findings: [SubmissionFinding]
  /// The challenge from which the run took its seed; nil for a run without a challenge.
  package var challenge: ChallengeFile?

  package init(
    tier: CertificationTier, record: String, artifacts: [Certificate.Artifact], issuer: String?,
    findings: [SubmissionFinding],
    challenge: ChallengeFile?
  ) {
    self.tier = tier
    self.record = record
    self.artifacts = artifacts
    self.issuer = issuer
    self.findings = findings
    self.challenge = challenge
  }

  /// One sentence for each reason why no certificate can be issued.
  package func shortcomings(of facts: RecordFacts, in definition: ProtocolDefinition) -> [String] {
    let stale = challenge?.challenge.problems(of: facts.header) ?? []
    return tier.shortcomings(of: facts, in: definition) + stale + tier.shortcomings(of: findings)
  }

  /// The files of the bundle for a certificate that is issued now. They are signed if `key` is not nil.
  package func bundle(
    of facts: RecordFacts, in definition: ProtocolDefinition, from source: ProtocolSource, signedBy key: SigningKey?
  ) throws -> NewBundle {
    let findings = tier.submission.isEmpty ? nil : Array(SubmissionFinding.text(of: findings).utf8)
    let pack = try source.files()
    let bytes = try InputFile.contents(of: record, atMost: TarReader.Limits().fileSize)
    let certificate = Certificate(
      tier: tier, issuer: issuer, issued: .now, recordDigest: Digest.of(bytes),
      artifacts: artifacts, findingsDigest: findings.map { Digest.of($0) },
      challengeDigest: challenge.map { Digest.of($0.bytes) },
      packFilesDigest: Certificate.packDigest(of: pack.mapValues { Digest.of($0) }))
    var envelopes = [certificate.statement(of: facts, in: definition), certificate.testResult(of: facts)].map {
      Envelope(payload: Array($0.compactText.utf8))
    }
    if let key { for index in envelopes.indices { try envelopes[index].sign(with: key) } }
    return NewBundle(
      certificate: envelopes[0], testResult: envelopes[1], findings: findings, challenge: challenge?.bytes,
      pack: pack, record: bytes, evidence: EvidenceFolder(record: record), names: Array(facts.evidence.keys))
  }

  /// The files at these paths, with their present digests. A path can lead to a file or to a folder. The certificate
  /// names a single file by the last part of its path, and a file in a folder by its path in that folder.
  package static func artifacts(at paths: [String]) throws -> [Certificate.Artifact] {
    var digests: [String: String] = [:]
    for path in paths {
      let kind = FileStatus(path)?.kind
      guard kind == .file || kind == .folder else {
        throw BadInput("--artifact: '\(path)' is not a file or a folder")
      }
      let name = PathParts(path).name
      let files = kind == .folder ? try SourceTree(path).digests : [name: try Digest.ofFile(path)]
      guard files[BundleName.record] == nil else {
        throw BadInput("--artifact: '\(BundleName.record)' is the name of the record: give the file another name")
      }
      for (name, digest) in files {
        guard digests.updateValue(digest, forKey: name) == nil else {
          throw BadInput("--artifact: two files are called '\(name)': name one folder that contains both")
        }
      }
    }
    return digests.sorted { $0.key < $1.key }.map { Certificate.Artifact(name: $0.key, digest: $0.value) }
  }
}
