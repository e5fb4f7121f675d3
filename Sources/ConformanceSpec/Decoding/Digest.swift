import Digests
import JSONKit

/// Computes digests (SHA-256 in hexadecimal digits) of parts of the catalogue and of files. A run record contains the
/// digest of each case. If the text of a case changes, the old digest shows that a verdict is about the old text.
package struct Digest {
  private var hash = SHA256()

  package init() {}

  /// Adds the next bytes.
  package mutating func take(_ bytes: [UInt8]) { hash.update(bytes) }

  /// The digest of all bytes that were added so far.
  package var text: String { Self.hex(hash.finalize()) }

  package static func of(_ bytes: [UInt8]) -> String { hex(SHA256.hash(bytes)) }

  /// The digest of values. The digest does not depend on the layout and the comments of a file.
  static func of(_ values: [JSON]) -> String {
    of(Array(values.map(\.compactText).joined(separator: "\n").utf8))
  }

  /// The digest of files, from their names and bytes.
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
