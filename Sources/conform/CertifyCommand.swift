import ArgumentParser
import Certification
import ConformanceModel
import ConformanceReport
import ConformanceSpec
import FoundationEssentials
import Glibc
import JSONKit

/// `conform certify`: makes the bundle of a certificate of a run.
struct CertifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certify",
    abstract: "Certifies a whole run: one file with the record, its evidence and a signed statement.",
    discussion: """
      The tiers are in 'certification' of protocol.yaml. A record is refused if it is not whole or does not meet the
      tier, and each reason is printed. The bundle is verified before it is kept.

      Examples:
        conform certify --tier community --record conform-report/run.jsonl --key certifier.pem \\
          --artifact my-sdk-1.2.0.tgz --attest package="https://example.org/my-sdk" --output my-sdk.conformance.tar
      """)

  @Option(help: ArgumentHelp("The kind of certificate.", valueName: "name"))
  var tier: String

  @Option(help: ArgumentHelp("The record of the run, with its evidence beside it.", valueName: "file"))
  var record: String

  @Option(help: ArgumentHelp("The private key of the issuer ('conform key new').", valueName: "file"))
  var key: String

  @Option(help: ArgumentHelp("The bundle; it must not exist.", valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("A file of the SDK or server that was run; its digest is certified.", valueName: "file"))
  var artifact: [String] = []

  @Option(help: ArgumentHelp("Who issues the certificate, in your words.", valueName: "text"))
  var issuer: String?

  @Option(help: ArgumentHelp("A submission requirement that you attest, and why.", valueName: "id=text"))
  var attest: [String] = []

  @OptionGroup var sourceOptions: SourceOptions

  func run() async throws {
    let key = try KeyFile.signing(key)
    let facts = try RecordFacts(readingFrom: record)
    let definition = try await sourceOptions.source(facts.header.protocolName).catalogue().definition
    guard let tier = definition.tier(tier) else {
      let known = definition.certification.map(\.name)
      throw BadInput(
        "unknown tier '\(tier)': \(definition.name) has \(known.isEmpty ? "none" : known.joined(separator: ", "))")
    }
    let findings = try attestations
    let reasons = tier.shortcomings(of: facts, in: definition) + tier.shortcomings(of: findings)
    try refuse(reasons)
    try write(try bundle(facts, tier, findings, definition, key))
    let own = BundleVerification.Key(file: self.key, key: key.publicKey)
    do {
      let result = try await BundleVerification(path: output, keys: [own], now: .now, sourceOptions: sourceOptions)
        .result()
      try refuse(result.reasons)
      Terminal.output("certified: \(CertificateAccount(result, facts, [own]).title)\n")
      Terminal.output("wrote \(output), signed by \(own.key.id)\n")
    } catch {
      unlink(output)
      throw error
    }
  }

  /// Ends with each reason, if there are any.
  private func refuse(_ reasons: [String]) throws {
    for reason in reasons { Terminal.output("not certified: \(reason)\n") }
    if !reasons.isEmpty { throw Finished(code: .violations) }
  }

  private var attestations: [Finding] {
    get throws {
      try attest.map { word in
        guard let equals = word.firstIndex(of: "="), word.index(after: equals) < word.endIndex else {
          throw BadInput("--attest wants ID=TEXT, such as releases=\"1.0, 1.1 and 1.2 are published\", found '\(word)'")
        }
        let text = String(word[word.index(after: equals)...])
        return Finding(id: String(word[..<equals]), result: .attested, text: text)
      }
    }
  }

  /// The files of a bundle, except its evidence.
  private struct Parts {
    var record: [UInt8]
    var findings: [UInt8]?
    var certificate: Envelope
    var testResult: Envelope
    var facts: RecordFacts
  }

  private func bundle(
    _ facts: RecordFacts, _ tier: CertificationTier, _ findings: [Finding], _ definition: ProtocolDefinition,
    _ key: SigningKey
  ) throws -> Parts {
    let record = try InputFile.contents(of: record, atMost: TarReader.Limits().fileSize)
    let findings = tier.submission.isEmpty ? nil : Array(Finding.text(of: findings).utf8)
    let certificate = Certificate(
      tier: tier, issuer: issuer, issued: .now, recordDigest: Digest.of(record), artifacts: try artifacts,
      findingsDigest: findings.map { Digest.of($0) })
    var envelopes = [certificate.statement(of: facts, in: definition), certificate.testResult(of: facts)].map {
      Envelope(payload: Array($0.compactText.utf8))
    }
    for index in envelopes.indices { try envelopes[index].sign(with: key) }
    return Parts(
      record: record, findings: findings, certificate: envelopes[0], testResult: envelopes[1], facts: facts)
  }

  private var artifacts: [Certificate.Artifact] {
    get throws {
      try artifact.map { path in
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        return Certificate.Artifact(name: name, digest: try EvidenceFolder.digest(of: path))
      }
    }
  }

  private func write(_ parts: Parts) throws {
    let folder = EvidenceFolder(record: record)
    do {
      try NewFile.make(output, mode: 0o644) { write in
        let tar = TarWriter(write: write)
        try tar.add(BundleName.certificate, Array((parts.certificate.representation.compactText + "\n").utf8))
        for name in parts.facts.evidence.keys.sorted(by: { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }) {
          guard let path = folder.path(of: name) else {
            throw BadInput("the evidence '\(name)' is not beside '\(record)': keep the folder of the run whole")
          }
          let bytes = try InputFile.contents(of: path, atMost: TarReader.Limits().fileSize)
          try tar.add(BundleName.evidence + name, bytes)
        }
        if let findings = parts.findings { try tar.add(BundleName.findings, findings) }
        try tar.add(BundleName.record, parts.record)
        try tar.add(BundleName.testResult, Array((parts.testResult.representation.compactText + "\n").utf8))
        try tar.finish()
      }
    } catch let problem as BundleProblem {
      throw BadInput("\(problem)")
    }
  }
}
