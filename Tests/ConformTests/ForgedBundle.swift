import Certification
import ConformanceModel
import ConformanceSpec
import Foundation
import JSONKit
import Testing

@testable import Records

/// The files of a bundle, which a forger changes and signs again.
struct ForgedBundle {
  var files: [String: [UInt8]] = [:]
  /// The facts of the honest record, for a forged record that cannot be read.
  private let facts: RecordFacts

  init(_ path: String) throws {
    var reader = try TarReader(path)
    var files: [String: [UInt8]] = [:]
    while let (name, bytes) = try reader.next() { files[name] = bytes }
    facts = try Self.facts(of: String(decoding: try #require(files[BundleName.record]), as: UTF8.self))
    self.files = files
  }

  private static func facts(of record: String) throws -> RecordFacts {
    let folder = try Scratch()
    try folder.write("run.jsonl", record)
    return try RecordFacts(readingFrom: folder.file("run.jsonl"))
  }

  /// The text of a file.
  func text(_ name: String) throws -> String { String(decoding: try #require(files[name]), as: UTF8.self) }

  /// Changes the text of a file; something must change.
  mutating func edit(_ name: String, _ body: (String) -> String) throws {
    let old = try text(name)
    let new = body(old)
    try #require(old != new)
    files[name] = Array(new.utf8)
  }

  /// The name of the only file of evidence.
  var evidence: String { get throws { try #require(files.keys.first { $0.hasPrefix(BundleName.evidence) }) } }

  /// Changes the record, and makes its digests and its hash chain fit what the bundle contains now.
  mutating func editRecord(_ body: (String) -> String = { $0 }) throws {
    let digest = Digest.of(try #require(files[try evidence]))
    let lines = body(try text(BundleName.record)).replacing(/"evidenceDigest":"[0-9a-f]+"/) { _ in
      "\"evidenceDigest\":\"\(digest)\""
    }
    files[BundleName.record] = RecordSeal.sealedAgain(Array(lines.utf8))
  }

  /// Makes both statements fit the record and signs them, as an issuer who lies would.
  mutating func sign(_ keys: SigningKey..., change: (inout Certificate) -> Void = { _ in }) throws {
    let record = try text(BundleName.record)
    let facts = (try? Self.facts(of: record)) ?? self.facts
    let old: Envelope = try envelope(BundleName.certificate)
    var certificate = try Certificate(statement: JSONField(JSON(parsing: old.payload)))
    certificate.recordDigest = Digest.of(try #require(files[BundleName.record]))
    change(&certificate)
    // The toy has no capabilities, which is all that the statement takes from the definition.
    let definition = ProtocolDefinition(
      name: "", title: "", document: "", revision: "", services: [], roles: [], dialects: [])
    try put(BundleName.certificate, certificate.statement(of: facts, in: definition), keys)
    try put(BundleName.testResult, certificate.testResult(of: facts), keys)
  }

  func envelope(_ name: String) throws -> Envelope { try Envelope(JSONField(JSON(parsing: try text(name)))) }

  mutating func put(_ name: String, _ statement: JSON, _ keys: [SigningKey]) throws {
    var envelope = Envelope(payload: Array(statement.compactText.utf8))
    for key in keys { try envelope.sign(with: key) }
    files[name] = envelope.file
  }

  /// Writes the bundle as the kit does.
  func write(to path: String) throws {
    var bytes: [UInt8] = []
    let tar = TarWriter { bytes += $0 }
    for (name, content) in files.sorted(by: { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }) {
      try tar.add(name, content)
    }
    try tar.finish()
    try Data(bytes).write(to: URL(filePath: path))
  }
}
