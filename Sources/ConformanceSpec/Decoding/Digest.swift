import Digests
import JSONKit

/// Digests (SHA-256 in hexadecimal) of the catalogue's texts and of files. A verdict by another text is not a verdict
/// by this text.
package struct Digest {
  private var hash = SHA256()

  package init() {}

  /// Takes the next bytes.
  package mutating func take(_ bytes: [UInt8]) { hash.update(bytes) }

  /// The digest of all that was taken.
  package var text: String { Self.hex(hash.finalize()) }

  package static func of(_ bytes: [UInt8]) -> String { hex(SHA256.hash(bytes)) }

  /// The digest of values, whatever their layout and comments.
  static func of(_ values: [JSON]) -> String {
    of(values.map(\.compactText).joined(separator: "\n").utf8Bytes)
  }

  /// The digest of files, by their names and bytes.
  static func of(_ files: [(name: String, bytes: [UInt8])]) -> String {
    var hash = SHA256()
    for file in files.sorted(by: { $0.name < $1.name }) {
      hash.update(SHA256.hash(file.name.utf8))
      hash.update(SHA256.hash(file.bytes))
    }
    return hex(hash.finalize())
  }

  private static func hex(_ digest: [UInt8]) -> String { String(decoding: digest.hexadecimal, as: UTF8.self) }
}

extension String {
  fileprivate var utf8Bytes: [UInt8] { Array(utf8) }
}
