import Crypto
import NIOSSL

/// An authority with a key on P-256 that is made in the process and ends with it, so that no certificate is kept anywhere
/// and none in use expires (RFC 5280).
struct CertificateAuthority: Sendable {
  /// A certificate with the key that it is for, both in DER.
  struct Credentials: Sendable {
    var certificate: [UInt8]
    var key: [UInt8]
  }

  /// The authority's own certificate in DER.
  let certificate: [UInt8]
  private let name: [UInt8]
  private let key = P256.Signing.PrivateKey()

  /// `lifetime` is in seconds since 1970.
  init(name: String, lifetime: Range<Int>) throws {
    self.name = Self.name(name)
    certificate = try Self.certificate(
      of: key.publicKey, name: self.name, lifetime: lifetime, by: key, name: self.name,
      extensions: [
        // It may sign certificates of servers, and no authority below it.
        Self.critical(19, DER.sequence(DER.boolean(true), DER.integer([0]))),
        Self.critical(15, DER.bits([0b0000_0110], unused: 1)),
      ])
  }

  /// A certificate for a server of this name, with a key of its own.
  func issue(for host: String, lifetime: Range<Int>) throws -> Credentials {
    let own = P256.Signing.PrivateKey()
    let certificate = try Self.certificate(
      of: own.publicKey, name: Self.name(host), lifetime: lifetime, by: key, name: name,
      extensions: [
        Self.critical(15, DER.bits([0b1000_0000], unused: 7)),
        Self.extension(37, DER.sequence(DER.object(1, 3, 6, 1, 5, 5, 7, 3, 1))),
        Self.extension(17, DER.sequence(DER.implicit(2, Array(host.utf8)))),
      ])
    return Credentials(certificate: certificate, key: Array(own.derRepresentation))
  }

  private static func certificate(
    of key: P256.Signing.PublicKey, name subject: [UInt8], lifetime: Range<Int>, by signer: P256.Signing.PrivateKey,
    name issuer: [UInt8], extensions: [[UInt8]]
  ) throws -> [UInt8] {
    let identifiers = [
      Self.extension(14, DER.octets(keyIdentifier(key))),
      Self.extension(35, DER.sequence(DER.implicit(0, keyIdentifier(signer.publicKey)))),
    ]
    let serial = (0..<16).map { _ in UInt8.random(in: 0...255) }
    let content = DER.sequence(
      DER.tagged(0, DER.integer([2])), DER.integer(serial), ecdsaWithSHA256, issuer,
      DER.sequence(DER.time(lifetime.lowerBound), DER.time(lifetime.upperBound)), subject, Array(key.derRepresentation),
      DER.tagged(3, DER.sequence(Array((extensions + identifiers).joined()))))
    let signature = try signer.signature(for: content)
    return DER.sequence(content, ecdsaWithSHA256, DER.bits(Array(signature.derRepresentation)))
  }

  private static let ecdsaWithSHA256 = DER.sequence(DER.object(1, 2, 840, 10045, 4, 3, 2))

  private static func name(_ common: String) -> [UInt8] {
    DER.sequence(DER.set(DER.sequence(DER.object(2, 5, 4, 3), DER.text(common))))
  }

  /// RFC 7093 §2: the first 160 bits of the key's digest.
  private static func keyIdentifier(_ key: P256.Signing.PublicKey) -> [UInt8] {
    Array(SHA256.hash(data: key.x963Representation).prefix(20))
  }

  private static func `extension`(_ number: Int, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.object(2, 5, 29, number), DER.octets(value))
  }

  /// One that a client which does not know it may not pass over.
  private static func critical(_ number: Int, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.object(2, 5, 29, number), DER.boolean(true), DER.octets(value))
  }
}
