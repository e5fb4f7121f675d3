import Certification
import Files
import Records
import TextKit

/// Reads files with keys.
package enum KeyFile {
  /// The largest size of a key file, in bytes.
  static let limit = 1 << 14

  /// Reads the public key in a file.
  package static func verification(_ path: String) throws -> VerificationKey {
    let bytes = try InputFile.contents(of: path, atMost: limit)
    let blocks = String(decoding: bytes, as: UTF8.self).ranges(of: "-----BEGIN ").count
    guard blocks < 2 else { throw BadInput("\(path): expected one key, found \(blocks): use a file for each key") }
    do { return try VerificationKey(pem: bytes) } catch { throw BadInput("\(path): \(error)") }
  }
}
