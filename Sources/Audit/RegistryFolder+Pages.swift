import Certification
import CommandInterface
import ConformanceVerdict
import Files
import FoundationEssentials
import Records
import ReportPages
import Templates
import TextKit

extension RegistryFolder {
  /// The contents of the pages, one for each certificate. Verifies each certificate as of the time `now`.
  ///
  /// - Parameter address: the start of the address of each bundle; the name of the bundle follows. Nil if the bundles
  ///   are beside the pages.
  package func certificates(
    at now: Timestamp, address: String?, _ options: SourceOptions
  ) async throws -> [RegistryPages.Certificate] {
    var certificates: [RegistryPages.Certificate] = []
    for entry in index.entries {
      let examined = try await examination(of: entry, at: now, options)
      certificates.append(try await certificate(of: entry, examined, at: now, address: address, options))
    }
    return certificates
  }

  /// The files of the registry to which the pages refer: the keys, and if `address` is nil, the bundles.
  package func copies(for pages: [RegistryPages.Certificate], address: String?) -> [SiteFolder.Copy] {
    let linked = Set(pages.filter { $0.bundle != nil && address == nil }.map(\.id))
    let bundles = index.entries.filter { linked.contains($0.id) }.map { entry in
      SiteFolder.Copy(path: "certificates/\(Self.name(of: entry))", source: bundle(of: entry))
    }
    return bundles + keys.map { SiteFolder.Copy(path: $0.file, source: "\(folder)/\($0.file)") }
  }

  private func certificate(
    of entry: RegistryIndex.Entry, _ examined: Examination, at now: Timestamp, address: String?,
    _ options: SourceOptions
  ) async throws -> RegistryPages.Certificate {
    let problems = examined.problems
    let revoked = entry.revocation.map { ["\($0.date.text.prefix(10)): \($0.reason)"] } ?? []
    let failing = entry.failing.map { ["\($0.text)"] } ?? []
    let name = Self.name(of: entry)
    var page = RegistryPages.Certificate(
      id: entry.id, protocolName: entry.protocolName, revision: "", tier: entry.tier, subjects: entry.subjects,
      status: problems.isEmpty ? .init(entry.status(at: now)) : .invalid, reasons: revoked + failing + problems,
      issued: String(entry.issued.text.prefix(10)), expires: String(entry.expires.text.prefix(10)),
      bundle: examined.bundle.map { _ in address.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } ?? name },
      keys: examined.signers.map { PathParts($0.file).name })
    if !page.keys.isEmpty {
      let options = page.keys.map { " --key \($0.quotedForShell)" }
      page.verification = "conform verify \(name)" + options.joined()
    }
    guard problems.isEmpty, let opened = examined.bundle, let result = examined.result, let facts = result.facts
    else { return page }
    let signers = examined.signers
    let account = CertificateAccount(result, facts, signers)
    page.revision = facts.frozen?.revision ?? facts.header.specRevision
    page.dialects = Set(facts.passed.map(\.dialect.rawValue)).sorted()
    page.features = facts.features.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    page.issuer = result.certificate.issuer
    (page.proven, page.unproven) = (account.proven, account.unproven)
    (page.claims, page.note, page.rerun) = (account.claims, account.note, facts.header.rerunAnywhere)
    page.report = try await report(of: opened, facts, options)
    return page
  }

  /// The report of the run in a bundle.
  private func report(
    of bundle: OpenBundle, _ facts: RecordFacts, _ options: SourceOptions
  ) async throws -> String {
    let pack = try await BundledPack(of: bundle, facts.header, options, catalogues)
    let catalogue = pack.catalogue
    let record = try RunRecord(
      bundle.record(), at: BundleName.record, of: catalogue, schemas: pack.source.schemaFolder, trust: nil)
    return try HTMLReport(record, definition: catalogue.definition, evidence: bundle.evidenceFolder.transcript).text()
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
