import Certification
import Files
import Records
import TextKit

/// Files of keys.
package enum KeyFile {
  /// The most bytes that a key takes.
  static let limit = 1 << 14

  /// The public key of a file.
  package static func verification(_ path: String) throws -> VerificationKey {
    let bytes = try InputFile.contents(of: path, atMost: limit)
    do { return try VerificationKey(pem: bytes) } catch { throw BadInput("\(path): \(error)") }
  }
}
