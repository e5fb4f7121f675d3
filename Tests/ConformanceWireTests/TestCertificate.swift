import Foundation
import NIOSSL

/// A certificate that is made on the spot, so that none has to be kept and none expires.
///
/// Its key is the best known of P-256: the private key 1, whose public key is the curve's base point. It is its own
/// trust anchor, and an anchor's signature is never checked, so it carries none that means anything.
enum TestCertificate {
  static func serverContext(names: [String], address: [UInt8]? = nil) throws -> NIOSSLContext {
    try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [.certificate(certificate(names: names, address: address))],
        privateKey: .privateKey(NIOSSLPrivateKey(bytes: privateKey, format: .der))))
  }

  static func client(trusting names: [String], address: [UInt8]? = nil) throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates([try certificate(names: names, address: address)])
    return configuration
  }

  static func pem(names: [String]) throws -> String {
    let lines = Data(try certificate(names: names, address: nil).toDERBytes()).base64EncodedString()
    return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
  }

  private static func certificate(names: [String], address: [UInt8]?) throws -> NIOSSLCertificate {
    let subject = sequence(der(0x31, sequence(object([0x55, 0x04, 0x03]), der(0x0C, Array("test".utf8)))))
    let algorithm = sequence(object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
    let validity = sequence(der(0x17, Array("700101000000Z".utf8)), der(0x18, Array("99991231235959Z".utf8)))
    let key = sequence(sequence(object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]), object(curve)), bits(basePoint))
    let alternatives = names.flatMap { der(0x82, Array($0.utf8)) } + (address.map { der(0x87, $0) } ?? [])
    let names = sequence(object([0x55, 0x1D, 0x11]), der(0x04, sequence(alternatives)))
    let content = sequence(
      der(0xA0, integer(2)), integer(1), algorithm, subject, validity, subject, key, der(0xA3, sequence(names)))
    let signature = bits(sequence(integer(1), integer(1)))
    return try NIOSSLCertificate(bytes: sequence(content, algorithm, signature), format: .der)
  }

  private static var privateKey: [UInt8] {
    sequence(
      integer(1), der(0x04, [UInt8](repeating: 0, count: 31) + [1]), der(0xA0, object(curve)),
      der(0xA1, bits(basePoint)))
  }

  private static let curve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

  /// SEC 2, §2.4.2, uncompressed.
  private static let basePoint: [UInt8] = [
    0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03,
    0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE,
    0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE,
    0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
  ]

  private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let size = content.count
    let length =
      size < 128 ? [UInt8(size)] : size < 256 ? [0x81, UInt8(size)] : [0x82, UInt8(size >> 8), UInt8(size & 0xFF)]
    return [tag] + length + content
  }

  private static func sequence(_ parts: [UInt8]...) -> [UInt8] { der(0x30, Array(parts.joined())) }
  private static func object(_ id: [UInt8]) -> [UInt8] { der(0x06, id) }
  private static func integer(_ value: UInt8) -> [UInt8] { der(0x02, [value]) }
  private static func bits(_ content: [UInt8]) -> [UInt8] { der(0x03, [0] + content) }
}
