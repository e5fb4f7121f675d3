/// The text that encrypts the file of a private key. No message contains it.
package struct Passphrase: Hashable, Sendable {
  let bytes: [UInt8]

  /// The largest number of bytes that OpenSSL accepts as a passphrase.
  package static let longest = 1023

  /// A passphrase from a line; the line end is removed. Throws if the passphrase is empty or too long.
  package init(line: [UInt8]) throws(KeyProblem) {
    var bytes = line[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard (1...Self.longest).contains(bytes.count), !bytes.contains(0) else {
      throw KeyProblem("expected a passphrase of 1 to \(Self.longest) bytes without NUL, found \(bytes.count) bytes")
    }
    guard !bytes.contains(UInt8(ascii: "\n")) else {
      throw KeyProblem("expected a passphrase on one line, found several lines")
    }
    self.bytes = Array(bytes)
  }
}
