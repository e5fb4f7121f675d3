import ConformanceWire

@testable import ConformanceTLS

/// A server of TLS with an authority of its own, made on the spot, so that no certificate has to be kept and none expires.
struct TestSite {
  let server: TLSSettings
  /// The certificate of the authority, in PEM.
  let pem: String

  init(_ name: String = "localhost", address: [UInt8] = []) throws {
    let lifetime = 0..<4_000_000_000
    let authority = try CertificateAuthority(name: "test", lifetime: lifetime)
    server = try .server(authority.issue(for: name, address: address, lifetime: lifetime))
    pem = authority.certificate.pem
  }

  /// What speaks TLS for a client that trusts the authority.
  func client() throws -> any ClientTLS { try OpenSSLClient().trusting(pem) }
}
