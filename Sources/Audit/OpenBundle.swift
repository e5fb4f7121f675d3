import Certification
import CommandInterface
import ConformanceSpec
import Files
import Records
import TextKit

/// A bundle of which only the place and the digest of each file are kept in memory. A file is read from the archive
/// again when it is needed. This type writes no temporary files.
package final class OpenBundle: Sendable {
  /// The place of a file in the archive.
  private struct Place {
    var offset: Int
    var size: Int
    var digest: String
  }

  /// The path of the bundle.
  let source: String
  private let archive: RandomAccessFile
  private let places: [String: Place]

  /// Reads a bundle. Throws ``BadInput`` for a file that is not a bundle.
  package init(_ path: String) throws {
    source = path
    if let kind = FileStatus(path)?.kind, kind != .file {
      throw BadInput("\(path): expected a bundle, which is a regular file, found a \(kind)")
    }
    archive = try RandomAccessFile(path)
    do { places = try Self.places(in: path) } catch let problem as BundleProblem {
      throw BadInput("\(path): \(problem)")
    }
  }

  private static func places(in path: String) throws -> [String: Place] {
    var places: [String: Place] = [:]
    var reader = try TarReader(path)
    while let (name, bytes) = try reader.next() {
      places[name] = Place(offset: reader.contentOffset, size: bytes.count, digest: Digest.of(bytes))
    }
    for name in [BundleName.certificate, BundleName.record, BundleName.testResult] where places[name] == nil {
      throw BundleProblem("the bundle does not contain '\(name)': make it again with 'conform certify'")
    }
    return places
  }

  /// The digest of a file; nil if the bundle lacks the file.
  func digest(of name: String) -> String? { places[name]?.digest }

  /// The signed statement in this file. Throws ``BadInput`` if the file is missing or is not a signed statement.
  func envelope(_ name: String) throws -> Envelope {
    guard let bytes = try contents(of: name), bytes.count <= 1 << 26 else {
      throw BadInput("\(source): \(name): expected at most \(1 << 26) bytes, found more")
    }
    do { return try Envelope(file: bytes) } catch {
      throw BadInput("\(source): \(name): \(error)")
    }
  }

  /// The SHA-256 of the statement of the certificate.
  func statementDigest() throws -> String { Digest.of(try envelope(BundleName.certificate).payload) }

  /// The content of a file; nil if the bundle lacks the file. Throws ``FileProblem`` if the bundle was changed after it
  /// was read.
  func contents(of name: String) throws(FileProblem) -> [UInt8]? {
    guard let place = places[name], let bytes = try uncheckedContents(of: name) else { return nil }
    guard Digest.of(bytes) == place.digest else {
      throw FileProblem(.read, source, reason: "it was changed while it was read: try again")
    }
    return bytes
  }

  /// The content that a file has now; nil if the bundle lacks the file. The content is not compared with the file's
  /// digest.
  private func uncheckedContents(of name: String) throws(FileProblem) -> [UInt8]? {
    guard let place = places[name] else { return nil }
    return try archive.bytes(at: place.offset, count: place.size)
  }

  /// A reader of the record.
  func record() throws -> RunRecordReader {
    try RunRecordReader(contents(of: BundleName.record) ?? [], of: BundleName.record)
  }

  /// The outcomes of all verdicts in the record.
  package func verdicts() throws -> RecordedVerdicts { try RecordedVerdicts(record()) }

  /// The transcripts. Their digests are not checked here. The code that reads a transcript compares it with the digest
  /// in the record.
  var evidenceFolder: EvidenceFolder {
    EvidenceFolder("evidence") { [self] name throws(FileProblem) in
      try uncheckedContents(of: BundleName.evidence + name)
    }
  }

  /// The names of the transcripts, without their folder.
  var evidence: Set<String> { names(in: BundleName.evidence) }

  /// The paths of the protocol's files, relative to the protocol's folder.
  var pack: Set<String> { names(in: BundleName.pack) }

  private func names(in place: String) -> Set<String> {
    Set(places.keys.filter { $0.hasPrefix(place) }.map { String($0.dropFirst(place.count)) })
  }
}
