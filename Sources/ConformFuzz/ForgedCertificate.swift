import Audit
import Certification
import CommandInterface
import ConformanceSpec
import Files
import Glibc
import HTTPValues
import JSONKit
import Records
import Templates

/// Replaces one file of a bundle by an input, and verifies the bundle twice: once with the original signatures, and
/// once after a forger has signed it with another key.
struct ForgedCertificate {
  /// A bundle with a certificate for the toy protocol. `Tests/Fuzz/README.md` contains the commands that make it.
  private static let bundle = "Tests/Fuzz/certificate.tar"

  private let files: [String: [UInt8]]
  private let names: [String]
  private let statement: [UInt8]
  private let certificate: Certificate
  /// The moment at which the bundles are verified. The original certificate is valid at this moment.
  private let now: Timestamp
  private let forger: SigningKey
  private let options: SourceOptions
  private let catalogues = LoadedCatalogues()
  private let path = "/tmp/conform-fuzz-bundle-\(getpid())"

  init(root: String) async throws {
    var files: [String: [UInt8]] = [:]
    var reader = try TarReader("\(root)/\(Self.bundle)")
    while let (name, bytes) = try reader.next() { files[name] = bytes }
    self.files = files
    // The kit reads the files of a protocol as trusted data. Other readers of this program test them.
    names = files.keys.filter { !$0.hasPrefix(BundleName.pack) }.sorted()
    statement = try Envelope(file: files[BundleName.certificate] ?? []).payload
    certificate = try Certificate(statement: JSONField(JSON(parsing: statement)))
    now = certificate.issued.adding(days: 1)
    options = try SourceOptions.parse([])
    forger = try SigningKey()
    var signed = files
    try sign(&signed)
    for files in [files, signed] {
      let reasons = try await reasons(for: files)
      guard reasons == [] else {
        throw FuzzedReader.Violation("\(Self.bundle) is not valid: \(reasons ?? ["it is not a bundle"])")
      }
    }
  }

  /// The reader whose inputs replace a file of the bundle. Its first inputs are the original files of the bundle.
  static func reader(root: String) async throws -> FuzzedReader {
    let forged = try await ForgedCertificate(root: root)
    var reader = FuzzedReader(
      name: "certificate", tokens: FuzzedReader.jsonTokens + FuzzedReader.recordTokens, realInputs: []
    ) { bytes async throws(FuzzedReader.Violation) in
      try await forged.check(bytes)
    }
    reader.inputs = forged.names.compactMap { forged.files[$0] }
    return reader
  }

  /// Replaces a file, and checks that the bundle with the original signatures is then not valid. Bytes that no
  /// signature covers are an exception. A bundle that the forger has signed may be valid: its verification only has to
  /// end.
  private func check(_ bytes: [UInt8]) async throws(FuzzedReader.Violation) {
    var forged = files
    let name = names[bytes.reduce(bytes.count) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % names.count]
    forged[name] = bytes
    let own = try? await reasons(for: forged)
    if own == [], bytes != files[name], !isStatement(bytes) {
      throw FuzzedReader.Violation("a bundle with another '\(name)' is valid")
    }
    if name == BundleName.record { forged[name] = RecordSeal.sealedAgain(bytes) }
    guard (try? sign(&forged)) != nil else { return }
    _ = try? await reasons(for: forged)
  }

  /// Whether an input is an envelope with one of the original statements. Such an input may differ from the original
  /// file, because the key ids in an envelope are not signed.
  private func isStatement(_ bytes: [UInt8]) -> Bool {
    guard let payload = try? Envelope(file: bytes).payload else { return false }
    return [BundleName.certificate, BundleName.testResult].contains { name in
      (try? Envelope(file: files[name] ?? []).payload) == payload
    }
  }

  /// Puts the digests of the replaced files into the statement of the certificate. Then signs this statement and the
  /// test result with the forger's key.
  private func sign(_ files: inout [String: [UInt8]]) throws {
    var text = String(decoding: statement, as: UTF8.self)
    for (name, old) in [
      (BundleName.record, certificate.recordDigest), (BundleName.challenge, certificate.challengeDigest ?? ""),
    ] where !old.isEmpty {
      text = text.replacing(old, with: Digest.of(files[name] ?? []))
    }
    var envelopes = [(BundleName.certificate, Envelope(payload: Array(text.utf8)))]
    if let result = try? Envelope(file: files[BundleName.testResult] ?? []) {
      envelopes.append((BundleName.testResult, result))
    }
    for (name, envelope) in envelopes {
      var envelope = envelope
      try envelope.sign(with: forger)
      files[name] = envelope.file
    }
  }

  /// The reasons why a bundle with these files is not valid; nil if it is not a bundle.
  private func reasons(for files: [String: [UInt8]]) async throws -> [String]? {
    var bytes: [UInt8] = []
    let tar = TarWriter { bytes += $0 }
    for name in files.keys.sorted(by: { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }) {
      try tar.add(name, files[name] ?? [])
    }
    try tar.finish()
    unlink(path)
    try NewFile.write(bytes, to: path, mode: 0o600)
    defer { unlink(path) }
    let verification = BundleVerification(
      path: path, keys: [], now: now, sourceOptions: options, catalogues: catalogues)
    return try await verification.result(of: OpenBundle(path)).reasons
  }
}
