import Certification
import CommandInterface
import ConformanceRunner
import ConformanceSpec
import Files
import FoundationEssentials
import Records
import Templates
import TextKit

/// The folder of a registry: `index.jsonl`, the bundles in `certificates`, and the public keys of issuers in `keys`.
package struct RegistryFolder: Sendable {
  let folder: String
  package private(set) var index: RegistryIndex
  /// The keys of the issuers that the registry trusts.
  let keys: [BundleVerification.Key]
  /// The catalogues of the certificates' protocols.
  let catalogues = LoadedCatalogues()

  /// Reads a registry. Throws ``BadInput`` if the folder does not contain a registry.
  package init(_ folder: String) throws {
    self.folder = folder
    guard FileManager.default.fileExists(atPath: Self.index(in: folder)) else {
      throw BadInput(
        "'\(folder)' is not a registry: there is no '\(Self.index(in: folder))'; 'conform registry init' makes one")
    }
    index = try Self.readIndex(in: folder)
    keys = try Self.names(in: "\(folder)/keys").map { name in
      BundleVerification.Key(file: "keys/\(name)", key: try KeyFile.verification("\(folder)/keys/\(name)"))
    }
  }

  /// Makes a registry that trusts these keys. The folder must be empty or must not exist.
  package static func make(_ folder: String, trusting keys: [VerificationKey]) throws {
    guard names(in: folder).isEmpty else { throw BadInput("'\(folder)' is not empty: name another folder") }
    do {
      for name in ["keys", "certificates"] {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
    } catch {
      throw BadInput("'\(folder)' cannot be made: \(error)")
    }
    for key in keys {
      let name = key.id.split(separator: ":").last.map { String($0.prefix(16)) } ?? ""
      try NewFile.write(key.pem, to: "\(folder)/keys/\(name).pub", mode: 0o644)
    }
    try NewFile.write(Array(RegistryIndex().text.utf8), to: index(in: folder), mode: 0o644)
  }

  private static func readIndex(in folder: String) throws -> RegistryIndex {
    let path = index(in: folder)
    let text = String(decoding: try InputFile.contents(of: path, atMost: 1 << 26), as: UTF8.self)
    do throws(RegistryIndex.Problem) { return try RegistryIndex(text) } catch {
      throw BadInput("\(path):\(error.line): \(error.text)")
    }
  }

  private static func index(in folder: String) -> String { "\(folder)/index.jsonl" }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.first != "." }.sorted()
  }

  /// The path of the bundle of an entry.
  package func bundle(of entry: RegistryIndex.Entry) -> String { "\(folder)/certificates/\(Self.name(of: entry))" }

  static func name(of entry: RegistryIndex.Entry) -> String { "\(entry.id).conformance.tar" }

  /// The names of the files in `certificates` to which no entry belongs.
  package var strangers: [String] {
    let known = Set(index.entries.map(Self.name))
    return Self.names(in: "\(folder)/certificates").filter { !known.contains($0) }
  }

  /// The entry of the certificate in a bundle; nil if the registry does not list this certificate. A bundle with
  /// further signatures contains the same certificate.
  package func entry(of bundle: OpenBundle) throws -> RegistryIndex.Entry? {
    index.entry(ofStatement: try bundle.statementDigest())
  }

  /// Makes the entry for a bundle that is to be added. Verifies the bundle with the keys of the registry. At least one
  /// of these keys must have signed the bundle.
  ///
  /// - Returns: the entry, or the reasons why the bundle cannot be added.
  package func newEntry(
    for path: String, at now: Timestamp, _ options: SourceOptions
  ) async throws -> (entry: RegistryIndex.Entry?, reasons: [String]) {
    let bundle = try OpenBundle(path)
    if let known = try entry(of: bundle) {
      throw BadInput("the certificate of '\(path)' is already in the registry, as \(known.id)")
    }
    let (result, _) = try await verification(of: bundle, at: now, options)
    let reasons = result.reasons + (result.isExpired ? ["it ended at \(result.certificate.expires.text)"] : [])
    guard reasons.isEmpty, let facts = result.facts else { return (nil, reasons) }
    let digests = (bundle: try Digest.ofFile(path), statement: try bundle.statementDigest())
    return (.init(result, facts, digest: digests.bundle, statement: digests.statement), [])
  }

  /// Verifies a bundle with the keys of the registry. An expired certificate alone does not make the bundle invalid; it
  /// only sets `isExpired` in the result.
  ///
  /// - Returns: the result, and the registry's keys that signed the bundle.
  func verification(
    of opened: OpenBundle, at now: Timestamp, _ options: SourceOptions
  ) async throws -> (result: BundleVerification.Result, signers: [BundleVerification.Key]) {
    let envelopes = [try opened.envelope(BundleName.certificate), try opened.envelope(BundleName.testResult)]
    let signers = keys.filter { key in envelopes.allSatisfy { $0.isSigned(by: key.key) } }
    let verification = BundleVerification(
      path: opened.source, keys: signers, now: now, sourceOptions: options, catalogues: catalogues)
    guard !signers.isEmpty else {
      return (try verification.refusal(of: opened, because: "no key of the registry signed it"), [])
    }
    return (try await verification.result(of: opened), signers)
  }

  /// The result of ``examination(of:at:_:)`` for one entry.
  struct Examination {
    /// One sentence for each problem of the entry.
    var problems: [String]
    var bundle: OpenBundle?
    var result: BundleVerification.Result?
    /// The registry's keys that signed the bundle.
    var signers: [BundleVerification.Key] = []
  }

  /// The problems of all entries, one sentence for each problem, in the order of the index. Each sentence begins with
  /// the id of the entry. Verifies several bundles at the same time, one on each processor.
  package func problems(at now: Timestamp, _ options: SourceOptions) async throws -> [String] {
    var problems = index.entries.map { _ in [String]() }
    let entries = index.entries
    try await entries.indices.forEachResult(atOnce: ProcessInfo.processInfo.activeProcessorCount) { [self] index in
      let entry = entries[index]
      return (index, try await examination(of: entry, at: now, options).problems.map { "\(entry.id): \($0)" })
    } _: {
      problems[$0.0] = $0.1
    }
    return problems.flatMap(\.self)
  }

  /// Verifies the bundle of an entry, and compares the entry with the bundle.
  func examination(
    of entry: RegistryIndex.Entry, at now: Timestamp, _ options: SourceOptions
  ) async throws -> Examination {
    let path = bundle(of: entry)
    guard FileManager.default.fileExists(atPath: path) else { return Examination(problems: ["there is no '\(path)'"]) }
    guard try Digest.ofFile(path) == entry.digest else {
      return Examination(problems: ["'\(path)' is not the bundle that was added"])
    }
    do {
      let opened = try OpenBundle(path)
      let (result, signers) = try await verification(of: opened, at: now, options)
      var reasons = result.reasons
      if let facts = result.facts {
        var expected = RegistryIndex.Entry(
          result, facts, digest: entry.digest, statement: try opened.statementDigest())
        expected.revocation = entry.revocation
        expected.failing = entry.failing
        if expected != entry { reasons.append("the index says something else than the bundle") }
      }
      return Examination(problems: reasons, bundle: opened, result: result, signers: signers)
    } catch let problem as BadInput {
      return Examination(problems: ["\(problem)"])
    }
  }

  /// Copies a verified bundle into the registry, and adds its entry to the index.
  package mutating func add(_ entry: RegistryIndex.Entry, from path: String) throws {
    try NewFile.make(bundle(of: entry), mode: 0o644) { write in
      var file = try InputFile(path)
      while case let piece = try file.read(), !piece.isEmpty { try write(piece) }
    }
    do {
      guard try Digest.ofFile(bundle(of: entry)) == entry.digest else {
        throw BadInput("'\(path)' was changed while it was read: try again")
      }
      try changeIndex { index in
        guard index.entry(ofStatement: entry.statement) == nil else {
          throw BadInput("the certificate of '\(path)' is already in the registry")
        }
        index.add(entry)
      }
    } catch {
      Disk.removeRegular(bundle(of: entry))
      throw error
    }
  }

  /// Notes in the index the result of a run that was made after the certificate was issued. Returns the entry with the
  /// result. Throws ``BadInput`` if the run is of another SDK, server or protocol, if it began before the certificate
  /// was issued, or if it is too incomplete to judge the certificate in this tier.
  package mutating func note(
    _ record: String, for id: String, _ options: SourceOptions
  ) async throws -> RegistryIndex.Entry {
    guard let entry = index.entries.first(where: { $0.id == id }) else { throw Self.unknown(id) }
    let source = try options.source(entry.protocolName, in: OpenBundle(bundle(of: entry)))
    let definition = try await source.catalogue().definition
    guard let tier = definition.tier(entry.tier) else {
      throw BadInput("the protocol '\(entry.protocolName)' has no tier '\(entry.tier)'")
    }
    let facts = try RecordFacts(readingFrom: record, of: source, definition)
    let run = LaterRun(record: record, facts: facts)
    let failing = try run.failing(entry, tier, definition)
    try changeIndex { _ = $0.note(failing, for: id) }
    return index.entries.first { $0.id == id } ?? entry
  }

  private static func unknown(_ id: String) -> BadInput {
    BadInput("unknown certificate '\(id)': 'conform registry list' shows all")
  }

  /// Marks the certificate with this id as revoked.
  package mutating func revoke(_ id: String, _ revocation: RegistryIndex.Revocation) throws {
    try changeIndex { index in
      guard index.revoke(id, revocation) else {
        let isRevoked = index.entries.contains { $0.id == id }
        throw isRevoked ? BadInput("the certificate '\(id)' is already revoked") : Self.unknown(id)
      }
    }
  }

  /// Changes the index on disk while no other command changes it. Throws ``BadInput`` if another command changes the
  /// index for too long.
  private mutating func changeIndex(_ change: (inout RegistryIndex) throws -> Void) throws {
    let open = try OpenFolder(folder)
    guard open.lock() else { throw BadInput("another command is changing '\(folder)': try again") }
    index = try Self.readIndex(in: folder)
    try change(&index)
    try writeIndex()
  }

  /// Replaces the file of the index in one step, so that no other process reads an incomplete index.
  private func writeIndex() throws {
    let path = Self.index(in: folder)
    let new = path + ".new"
    Disk.removeRegular(new)
    try NewFile.write(Array(index.text.utf8), to: new, mode: 0o644)
    do { try Disk.rename(new, to: path) } catch {
      Disk.removeRegular(new)
      throw error
    }
  }
}

extension RegistryIndex.Entry {
  /// The entry of a verified bundle.
  init(_ result: BundleVerification.Result, _ facts: RecordFacts, digest: String, statement: String) {
    self.init(
      digest: digest, statement: statement, protocolName: facts.header.protocolName, tier: result.certificate.tier,
      subjects: facts.participants.map { "\($0.subject.name) \($0.subject.version)" },
      issued: result.certificate.issued, expires: result.certificate.expires,
      graceEnd: result.tier.flatMap { $0.graceDays > 0 ? result.certificate.graceEnd(in: $0) : nil })
  }
}
