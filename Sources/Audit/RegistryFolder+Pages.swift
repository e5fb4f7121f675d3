import Certification
import CommandInterface
import ConformanceVerdict
import Files
import FoundationEssentials
import Records
import ReportPages
import Templates

extension RegistryFolder {
  /// The certificates in the form of pages, each verified at this moment.
  ///
  /// - Parameter address: the address or the folder of the bundles, to which the name of a bundle is appended.
  package func certificates(
    at now: Timestamp, address: String, _ options: SourceOptions
  ) async throws -> [RegistryPages.Certificate] {
    var certificates: [RegistryPages.Certificate] = []
    for entry in index.entries {
      let examined = try await examination(of: entry, at: now, options)
      certificates.append(try await certificate(of: entry, examined, at: now, address: address, options))
    }
    return certificates
  }

  private func certificate(
    of entry: RegistryIndex.Entry, _ examined: Examination, at now: Timestamp, address: String,
    _ options: SourceOptions
  ) async throws -> RegistryPages.Certificate {
    let problems = examined.problems
    let revoked = entry.revocation.map { ["\($0.date.text.prefix(10)): \($0.reason)"] } ?? []
    let failing = entry.failing.map { ["\($0.text)"] } ?? []
    let place = (address.hasSuffix("/") ? address : address + "/") + Self.name(of: entry)
    var page = RegistryPages.Certificate(
      id: entry.id, protocolName: entry.protocolName, revision: "", tier: entry.tier, subjects: entry.subjects,
      status: problems.isEmpty ? .init(entry.status(at: now)) : .invalid, reasons: revoked + failing + problems,
      issued: String(entry.issued.text.prefix(10)), expires: String(entry.expires.text.prefix(10)),
      commands: ["conform verify \(place.quotedForShell) --key keys/ISSUER.pub"])
    guard problems.isEmpty, let unpacked = examined.bundle, let result = examined.result, let facts = result.facts
    else { return page }
    let signers = examined.signers
    let account = CertificateAccount(result, facts, signers)
    page.revision = facts.frozen?.revision ?? facts.header.specRevision
    page.dialects = Set(facts.passed.map(\.dialect.rawValue)).sorted()
    page.features = facts.features.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    page.issuer = result.certificate.issuer
    (page.proven, page.unproven) = (account.proven, account.unproven)
    page.commands =
      signers.map { "conform verify \(place.quotedForShell) --key \($0.file)" } + [facts.header.rerunAnywhere]
    page.report = try await report(of: unpacked, facts, options)
    return page
  }

  /// The report of the run in a bundle.
  private func report(
    of bundle: UnpackedBundle, _ facts: RecordFacts, _ options: SourceOptions
  ) async throws -> String {
    let path = bundle.path(of: BundleName.record)
    let pack = try await BundledPack(of: bundle, facts.header, options, catalogues)
    let catalogue = pack.catalogue
    let record = try RunRecord(readingFrom: path, of: catalogue, schemas: pack.source.schemaFolder, trust: nil)
    let evidence = EvidenceFolder(record: path)
    return try HTMLReport(record, definition: catalogue.definition, evidence: evidence.transcript).text()
  }
}

extension RegistryPages.Certificate.Status {
  fileprivate init(_ status: RegistryIndex.Status) {
    self =
      switch status {
      case .valid: .valid
      case .expiring: .expiring
      case .grace: .grace
      case .expired: .expired
      case .failing: .failing
      case .relegated: .relegated
      case .revoked: .revoked
      }
  }
}
