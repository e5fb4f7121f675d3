import Crypto
import JSONKit

/// Digests of the catalogue's texts (SHA-256 in hexadecimal): what was judged by another text is not judged by this one.
enum Digest {
  /// The digest of values, whatever their layout and comments.
  static func of(_ values: [JSON]) -> String {
    hex(SHA256.hash(data: values.map(\.compactText).joined(separator: "\n").utf8Bytes))
  }

  /// The digest of files, by their names and bytes.
  static func of(_ files: [(name: String, bytes: [UInt8])]) -> String {
    var hash = SHA256()
    for file in files.sorted(by: { $0.name < $1.name }) {
      hash.update(data: SHA256.hash(data: file.name.utf8Bytes).bytes)
      hash.update(data: SHA256.hash(data: file.bytes).bytes)
    }
    return hex(hash.finalize())
  }

  private static func hex(_ digest: SHA256.Digest) -> String {
    digest.bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
  }
}

extension SHA256.Digest {
  fileprivate var bytes: [UInt8] { Array(self) }
}

extension String {
  fileprivate var utf8Bytes: [UInt8] { Array(utf8) }
}
