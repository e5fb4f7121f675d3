import Certification
import CommandInterface
import ConformanceModel
import Files
import FoundationEssentials
import JSONKit
import Records
import Templates
import TextKit

/// Checks a bundle: its signatures, the digests of its files, its pack, and the conditions of its tier. Also judges the
/// evidence in the bundle again.
package struct BundleVerification {
  /// A public key with the path of its file.
  package struct Key: Sendable {
    var file: String
    package var key: VerificationKey

    package init(file: String, key: VerificationKey) {
      self.file = file
      self.key = key
    }
  }

  let path: String
  let keys: [Key]
  let now: Timestamp
  let sourceOptions: SourceOptions
  let catalogues: LoadedCatalogues

  package init(
    path: String, keys: [Key], now: Timestamp, sourceOptions: SourceOptions, catalogues: LoadedCatalogues = .init()
  ) {
    self.path = path
    self.catalogues = catalogues
    self.keys = keys
    self.now = now
    self.sourceOptions = sourceOptions
  }

  package struct Result {
    /// The reasons why the bundle is not valid, one sentence for each.
    package var reasons: [String] = []
    package var certificate: Certificate
    package var facts: RecordFacts?
    /// Where the requirements come from: from the kit or the options, or from the bundle.
    var origin = BundledPack.Origin.kit
    /// Whether the certificate has expired and its days of grace have passed.
    package var isExpired = false
    /// The tier of the certificate; nil if the protocol has no such tier.
    package var tier: CertificationTier?
    /// The capabilities of the protocol that an SDK or server did not report, by the name of the SDK or server.
    var missing: [String: [String]] = [:]
    /// The end of the days of grace if the certificate has expired and still counts; otherwise nil.
    package var graceEnd: Timestamp?
    var findings: [SubmissionFinding] = []
    /// The challenge in the bundle; nil if the bundle has none.
    var challenge: ChallengeFile?

    /// Takes the facts of the record, and notes which capabilities each participant did not report.
    fileprivate mutating func take(_ facts: RecordFacts, _ definition: ProtocolDefinition) {
      self.facts = facts
      for participant in facts.participants {
        let missing = participant.missingCapabilities(in: definition)
        if !missing.isEmpty { self.missing[participant.subject.name] = missing }
      }
    }
  }

  /// Performs all checks. If the signature of one of the keys is missing, or if the record or a file of the protocol
  /// was changed, no further check is performed. After any other failed check, performs the checks that are still
  /// possible. Throws ``BadInput`` for a file that is not a bundle.
  package func result(of bundle: OpenBundle) async throws -> Result {
    let envelope = try bundle.envelope(BundleName.certificate)
    let testResult = try bundle.envelope(BundleName.testResult)
    var result = Result(certificate: try certificate(envelope))
    result.reasons = unsigned([(BundleName.certificate, envelope), (BundleName.testResult, testResult)])
    if bundle.digest(of: BundleName.record) != result.certificate.recordDigest {
      result.reasons.append("the record is not the one that the statement names by its digest")
    }
    if bundle.packDigest != result.certificate.packFilesDigest {
      result.reasons.append("the files of the protocol are not those that the statement names by their digest")
    }
    guard result.reasons.isEmpty else { return result }
    do {
      try await check(bundle, envelope, testResult, &result)
    } catch let problem as LineProblem {
      result.reasons.append("the record contradicts itself or the pack: \(problem)")
    }
    let end = result.tier.map { result.certificate.graceEnd(in: $0) } ?? result.certificate.expires
    result.isExpired = end.milliseconds <= now.milliseconds
    if result.certificate.isExpired(at: now), !result.isExpired { result.graceEnd = end }
    return result
  }

  /// The result for a bundle that is refused before its evidence is judged.
  func refusal(of bundle: OpenBundle, because reason: String) throws -> Result {
    var result = Result(certificate: try certificate(bundle.envelope(BundleName.certificate)))
    result.reasons = [reason]
    return result
  }

  private func findings(in bundle: OpenBundle) throws -> [SubmissionFinding] {
    let name = BundleName.findings
    guard let bytes = try bundle.contents(of: name) else { return [] }
    do { return try SubmissionFinding.list(JSONField(JSON(parsing: bytes))) } catch {
      throw BadInput("\(path): \(name): \(error)")
    }
  }

  private func certificate(_ envelope: Envelope) throws -> Certificate {
    do { return try Certificate(statement: JSONField(JSON(parsing: envelope.payload))) } catch {
      throw BadInput("\(path): \(BundleName.certificate): the statement: \(error)")
    }
  }

  private func unsigned(_ envelopes: [(name: String, envelope: Envelope)]) -> [String] {
    envelopes.flatMap { name, envelope in
      keys.filter { !envelope.isSigned(by: $0.key) }.map { key in
        "'\(name)' has no signature by the key of '\(key.file)', \(key.key.id)"
      }
    }
  }

  private func check(
    _ bundle: OpenBundle, _ envelope: Envelope, _ testResult: Envelope, _ result: inout Result
  ) async throws {
    let record = try bundle.record()
    let pack = try await BundledPack(of: bundle, record.header, sourceOptions, catalogues)
    let (source, definition) = (pack.source, pack.catalogue.definition)
    result.origin = pack.origin
    if let problem = pack.problem {
      result.take(try RecordFacts(record, of: source, definition), definition)
      return result.reasons.append(problem)
    }
    var facts = try RecordFacts(record.header, of: source, definition)
    let judgement: Swift.Result<RecordJudgement, any Error>
    do {
      let made = try RecordJudgement(
        record, at: BundleName.record, evidence: bundle.evidenceFolder, pack.catalogue, schemas: source.schemaFolder,
        checks: source.checks, note: { facts.add($0) })
      judgement = .success(made)
    } catch {
      // The judgement ended at the first line that contradicts the pack. The facts are about all lines.
      facts = try RecordFacts(bundle.record(), of: source, definition)
      judgement = .failure(error)
    }
    result.take(facts, definition)
    result.reasons += statementProblems(envelope, testResult, facts, definition, result.certificate)
    try checkTier(bundle, facts, definition, &result)
    result.reasons += evidenceProblems(bundle, facts)
    let judged = try judgement.get()
    result.reasons += try await judged.differences(atOnce: ProcessInfo.processInfo.activeProcessorCount)
    result.reasons += [judged.trustedBaseline?.description].compactMap(\.self)
  }

  /// One sentence for each statement that differs from the statement that follows from the record.
  private func statementProblems(
    _ envelope: Envelope, _ testResult: Envelope, _ facts: RecordFacts, _ definition: ProtocolDefinition,
    _ certificate: Certificate
  ) -> [String] {
    let statements = [
      (BundleName.certificate, envelope, certificate.statement(of: facts, in: definition)),
      (BundleName.testResult, testResult, certificate.testResult(of: facts)),
    ]
    return statements.filter { $0.1.payload != Array($0.2.compactText.utf8) }.map { name, envelope, expected in
      "'\(name)' states something else than the record: \(Self.difference(envelope, expected))"
    }
  }

  private func checkTier(
    _ bundle: OpenBundle, _ facts: RecordFacts, _ definition: ProtocolDefinition, _ result: inout Result
  ) throws {
    let certificate = result.certificate
    guard let tier = definition.tier(certificate.tier) else {
      return result.reasons.append("the protocol has no tier '\(certificate.tier)'")
    }
    result.tier = tier
    if bundle.digest(of: BundleName.findings) != certificate.findingsDigest {
      result.reasons.append("the findings are not those that the statement names by their digest")
    }
    result.findings = try findings(in: bundle)
    let stale = try challengeProblems(bundle, facts, &result)
    result.reasons += stale
    result.reasons += tier.shortcomings(of: facts, in: definition) + tier.shortcomings(of: result.findings)
    result.reasons += certificate.timeProblems(of: facts, tier: tier, at: now)
  }

  /// The differences between the challenge in the bundle, the certificate and the run, one sentence for each.
  private func challengeProblems(
    _ bundle: OpenBundle, _ facts: RecordFacts, _ result: inout Result
  ) throws -> [String] {
    let name = BundleName.challenge
    let foreign =
      bundle.digest(of: name) == result.certificate.challengeDigest
      ? [] : ["the challenge is not the one that the statement names by its digest"]
    guard let bytes = try bundle.contents(of: name) else { return foreign }
    let challenge = try ChallengeFile(bytes, at: "\(path): \(name)")
    result.challenge = challenge
    return foreign + challenge.challenge.problems(of: facts.header)
  }

  /// One sentence for each file of evidence that is only in the bundle, or only in the record.
  private func evidenceProblems(_ bundle: OpenBundle, _ facts: RecordFacts) -> [String] {
    let named = Set(facts.evidence.keys)
    let extra = bundle.evidence.subtracting(named).sorted().map { "the record does not name the evidence '\($0)'" }
    let missing = named.subtracting(bundle.evidence).sorted().map { "the bundle lacks the evidence '\($0)'" }
    return extra + missing
  }

  /// Describes the first difference between the payload of a signed statement and the expected payload.
  private static func difference(_ envelope: Envelope, _ expected: JSON) -> String {
    guard let found = try? JSON(parsing: envelope.payload) else { return "it is not JSON" }
    func differs(_ found: JSON, _ expected: JSON, _ path: String) -> String? {
      guard found != expected else { return nil }
      guard let one = found.object, let other = expected.object, one.keys == other.keys else {
        return "\(path): expected \(expected.excerpt), found \(found.excerpt)"
      }
      for key in one.keys {
        guard let left = one[key], let right = other[key] else { continue }
        if let difference = differs(left, right, "\(path).\(key)") { return difference }
      }
      return nil
    }
    return differs(found, expected, "$") ?? "its spaces or escapes"
  }
}
