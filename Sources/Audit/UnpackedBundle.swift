import Certification
import CommandInterface
import ConformanceSpec
import Files
import FoundationEssentials
import JSONKit
import Records
import TextKit

/// The files of a bundle in a folder that only this process uses, and that is removed with this object.
package final class UnpackedBundle {
  let folder: String
  /// The file of the bundle.
  let source: String
  /// The digests of all files by their names.
  private(set) var digests: [String: String] = [:]

  /// Unpacks a bundle. Throws ``BadInput`` for what is not a bundle.
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
      try NewFile.write(bytes, to: "\(folder)/\(name)", mode: 0o600)
    }
    for name in [BundleName.certificate, BundleName.record, BundleName.testResult] where digests[name] == nil {
      throw BundleProblem("the bundle does not contain '\(name)': make it again with 'conform certify'")
    }
  }

  /// The signed statement of this name. Throws ``BadInput`` for what is none.
  func envelope(_ name: String) throws -> Envelope {
    let bytes = try InputFile.contents(of: path(of: name), atMost: 1 << 26)
    do { return try Envelope(JSONField(JSON(parsing: bytes))) } catch {
      throw BadInput("\(source): \(name): \(error)")
    }
  }

  /// The bytes of a file; nil if the bundle lacks it.
  func contents(of name: String) throws -> [UInt8]? {
    guard digests[name] != nil else { return nil }
    return try InputFile.contents(of: path(of: name), atMost: TarReader.Limits().fileSize)
  }

  /// The place of a file.
  package func path(of name: String) -> String { "\(folder)/\(name)" }

  /// The files of evidence, by the last part of their names.
  var evidence: Set<String> {
    Set(
      digests.keys.filter { $0.hasPrefix(BundleName.evidence) }.map { String($0.dropFirst(BundleName.evidence.count)) })
  }
}
