import ArgumentParser
import Audit
import Certification
import CommandInterface
import ConformanceModel
import ConformanceSpec
import Files
import FoundationEssentials
import JSONKit
import TextKit

/// `conform certify`: makes the bundle of a certificate of a run.
struct CertifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certify",
    abstract: "Certifies a whole run: one file with the record, its evidence and a signed statement.",
    discussion: """
      The tiers are in 'certification' of protocol.yaml. A record that is incomplete or does not meet the \
      tier is rejected, and each reason is printed. The bundle is verified before it is kept.

      With --unsigned, the bundle has no signature yet. Beside it are the bytes to sign, OUTPUT.certificate.pae and \
      OUTPUT.test-result.pae; 'conform sign' adds the signatures.

      Examples:
        conform certify --tier community --record conform-report/run.jsonl \\
          --key certifier.pem --artifact my-sdk-1.2.0.tgz --repo my-sdk \\
          --attest package="https://example.org/my-sdk" --output sdk.conformance.tar
      """)

  @Option(help: ArgumentHelp("The kind of certificate.", valueName: "name"))
  var tier: String

  @Option(help: ArgumentHelp("The record of the run, with its evidence beside it.", valueName: "file"))
  var record: String

  @Option(help: ArgumentHelp("The private key of the issuer ('conform key new').", valueName: "file"))
  var key: String?

  @OptionGroup var passphraseOptions: PassphraseOptions

  @Flag(help: "Do not sign the bundle. Write the bytes that another tool has to sign.")
  var unsigned = false

  @Option(help: ArgumentHelp("The bundle; it must not exist.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "A file or folder of the SDK or server that was run. The certificate contains the digests.", valueName: "path"))
  var artifact: [String] = []

  @Option(help: ArgumentHelp("The name of the issuer, in your words.", valueName: "text"))
  var issuer: String?

  @Option(
    help: ArgumentHelp(
      "A checkout of the SDK's repository, to search for submission requirements. No file of it is executed.",
      valueName: "folder"))
  var repo: String?

  @Option(
    help: ArgumentHelp(
      "A submission requirement that you attest, with a reason, because the search does not find it.",
      valueName: "id=text"))
  var attest: [String] = []

  @OptionGroup var sourceOptions: SourceOptions

  func validate() throws {
    guard (key == nil) == unsigned else {
      throw ValidationError("give the private key of the issuer with --key, or --unsigned without a key")
    }
  }

  func run() async throws {
    let key = try key.map { try passphraseOptions.signingKey($0) }
    let facts = try RecordFacts(readingFrom: record)
    let definition = try await sourceOptions.source(facts.header.protocolName).catalogue().definition
    guard let tier = definition.tier(tier) else {
      let known = definition.certification.map(\.name)
      throw BadInput(
        "unknown tier '\(tier)': \(definition.name) has \(known.isEmpty ? "none" : known.joined(separator: ", "))")
    }
    let findings = try findings(for: tier)
    tell(findings)
    try refuse(tier.shortcomings(of: facts, in: definition) + tier.shortcomings(of: findings))
    let bundle = try bundle(facts, tier, findings, definition, key)
    try bundle.write(to: output)
    do {
      let title = try await verified(signedBy: key)
      if key == nil { try writeUnsigned(bundle) }
      Terminal.output("certified: \(title)\n")
      Terminal.output("wrote \(output), \(key.map { "signed by \($0.publicKey.id)" } ?? "not signed yet")\n")
    } catch {
      Disk.removeRegular(output)
      throw error
    }
  }

  /// Verifies the bundle that was written, and gives its title.
  private func verified(signedBy key: SigningKey?) async throws -> String {
    let own = key.map { [BundleVerification.Key(file: self.key ?? "", key: $0.publicKey)] } ?? []
    let verification = BundleVerification(path: output, keys: own, now: .now, sourceOptions: sourceOptions)
    let result = try await verification.result(of: UnpackedBundle(output))
    try refuse(result.reasons)
    return result.facts.map { CertificateAccount(result, $0, own).title } ?? ""
  }

  /// Writes the bytes that another tool has to sign, beside the bundle.
  private func writeUnsigned(_ bundle: NewBundle) throws {
    let names = ["\(output).certificate.pae", "\(output).test-result.pae"]
    try NewFile.write(bundle.certificate.signedBytes, to: names[0], mode: 0o644)
    do { try NewFile.write(bundle.testResult.signedBytes, to: names[1], mode: 0o644) } catch {
      Disk.removeRegular(names[0])
      throw error
    }
    Terminal.output("sign the bytes of \(names[0]) and \(names[1]), then run 'conform sign'\n")
  }

  /// Ends with each reason, if there are any.
  private func refuse(_ reasons: [String]) throws {
    for reason in reasons { Terminal.output("not certified: \(reason)\n") }
    if !reasons.isEmpty { throw Finished(code: .violations) }
  }

  /// The findings in the repository, and attestations for requirements that are not found.
  private func findings(for tier: CertificationTier) throws -> [SubmissionFinding] {
    let attested = try attestations
    guard let repo else { return attested }
    let inspection = try RepositoryFolder(folder: repo).inspection()
    let found = tier.submission.map { inspection.finding(of: $0) }
    let settled = Set(found.filter { $0.result == .found }.map(\.id))
    let needed = attested.filter { !settled.contains($0.id) }
    return found.filter { one in !needed.contains { $0.id == one.id } } + needed
  }

  private func tell(_ findings: [SubmissionFinding]) {
    for finding in findings {
      let place = finding.file.map { file in " (\(file)\(finding.line.map { ":\($0)" } ?? ""))" } ?? ""
      Terminal.output("\(finding.result.rawValue): \(finding.id): \(finding.text)\(place)\n")
    }
  }

  private var attestations: [SubmissionFinding] {
    get throws {
      try attest.map { word in
        guard let equals = word.firstIndex(of: "="), word.index(after: equals) < word.endIndex else {
          throw BadInput(
            "--attest expects ID=TEXT, such as releases=\"1.0, 1.1 and 1.2 are published\", found '\(word)'")
        }
        let text = String(word[word.index(after: equals)...])
        return SubmissionFinding(id: String(word[..<equals]), result: .attested, text: text)
      }
    }
  }

  private func bundle(
    _ facts: RecordFacts, _ tier: CertificationTier, _ findings: [SubmissionFinding], _ definition: ProtocolDefinition,
    _ key: SigningKey?
  ) throws -> NewBundle {
    let findings = tier.submission.isEmpty ? nil : Array(SubmissionFinding.text(of: findings).utf8)
    let certificate = Certificate(
      tier: tier, issuer: issuer, issued: .now, recordDigest: try Digest.ofFile(record),
      artifacts: try artifacts, findingsDigest: findings.map { Digest.of($0) })
    var envelopes = [certificate.statement(of: facts, in: definition), certificate.testResult(of: facts)].map {
      Envelope(payload: Array($0.compactText.utf8))
    }
    if let key { for index in envelopes.indices { try envelopes[index].sign(with: key) } }
    return NewBundle(
      certificate: envelopes[0], testResult: envelopes[1], findings: findings, record: record,
      evidence: EvidenceFolder(record: record), names: Array(facts.evidence.keys))
  }

  /// The files that the certificate names: a file by its last name, the files of a folder by their paths in it.
  private var artifacts: [Certificate.Artifact] {
    get throws {
      var digests: [String: String] = [:]
      for path in artifact {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let name = PathParts(path).name
        let files = isFolder ? try SourceTree(path).digests : [name: try Digest.ofFile(path)]
        for (name, digest) in files {
          guard digests.updateValue(digest, forKey: name) == nil else {
            throw BadInput("--artifact: two files are called '\(name)': name one folder that contains both")
          }
        }
      }
      return digests.sorted { $0.key < $1.key }.map { Certificate.Artifact(name: $0.key, digest: $0.value) }
    }
  }
}
