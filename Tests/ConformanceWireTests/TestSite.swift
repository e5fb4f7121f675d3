import ConformanceWire

@testable import ConformanceTLS

/// A TLS server with a certificate authority of its own. Both are made by the test, so no stored certificate expires.
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

  /// The TLS of a client that trusts the authority.
  func client() throws -> any ClientTLS { try OpenSSLClient().trusting(pem) }
}
