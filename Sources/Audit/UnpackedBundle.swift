import Certification
import CommandInterface
import ConformanceSpec
import Files
import FoundationEssentials
import JSONKit
import Records
import TextKit

/// The files of a bundle, unpacked to a folder of this process. The folder is deleted with the object.
package final class UnpackedBundle {
  let folder: String
  /// The path of the bundle.
  let source: String
  /// The digests of all files, by file name.
  private(set) var digests: [String: String] = [:]

  /// Unpacks a bundle. Throws ``BadInput`` for a file that is not a bundle.
  package init(_ path: String) throws {
    source = path
    folder = try Disk.makeTemporaryFolder(named: "conform-bundle")
    try Disk.makeFolders("\(folder)/evidence", mode: 0o700)
    do { try unpack(path) } catch let problem as BundleProblem { throw BadInput("\(path): \(problem)") }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func unpack(_ path: String) throws {
    var reader = try TarReader(path)
    while let (name, bytes) = try reader.next() {
      digests[name] = Digest.of(bytes)
      if name.hasPrefix(BundleName.pack) { try Disk.makeFolders(PathParts("\(folder)/\(name)").folder, mode: 0o700) }
      try NewFile.write(bytes, to: "\(folder)/\(name)", mode: 0o600)
    }
    for name in [BundleName.certificate, BundleName.record, BundleName.testResult] where digests[name] == nil {
      throw BundleProblem("the bundle does not contain '\(name)': make it again with 'conform certify'")
    }
  }

  /// The signed statement in this file. Throws ``BadInput`` if the file is missing or is not a signed statement.
  func envelope(_ name: String) throws -> Envelope {
    let bytes = try InputFile.contents(of: path(of: name), atMost: 1 << 26)
    do { return try Envelope(file: bytes) } catch {
      throw BadInput("\(source): \(name): \(error)")
    }
  }

  /// The SHA-256 of the statement of the certificate.
  func statementDigest() throws -> String { Digest.of(try envelope(BundleName.certificate).payload) }

  /// The content of a file; nil if the bundle lacks the file.
  func contents(of name: String) throws -> [UInt8]? {
    guard digests[name] != nil else { return nil }
    return try InputFile.contents(of: path(of: name), atMost: TarReader.Limits().fileSize)
  }

  /// The path of an unpacked file.
  package func path(of name: String) -> String { "\(folder)/\(name)" }

  /// The files of evidence, by the last part of their names.
  var evidence: Set<String> { names(in: BundleName.evidence) }

  /// The files of the protocol, by their paths in its folder.
  var pack: Set<String> { names(in: BundleName.pack) }

  private func names(in place: String) -> Set<String> {
    Set(digests.keys.filter { $0.hasPrefix(place) }.map { String($0.dropFirst(place.count)) })
  }
}
