import ConformanceModel
import NIOCore

/// What lets mock servers speak TLS; ``MockServer`` itself links no library for it.
package protocol ServerTLS: Sendable {
  /// The certificate, in PEM, of the authority that a client is to trust.
  var authority: String { get }

  /// The handlers that speak TLS with one client as the server of this name, with a good certificate or a flawed one.
  ///
  /// What the handshake came to is reported once, before anything that the client sends in it.
  func handlers(
    for name: String, flaw: Fault.CertificateFlaw?, report: @escaping (TLSHandshake.Outcome, String) -> Void
  ) throws -> [any ChannelHandler]
}

/// The name under which a mock server speaks TLS, and what speaks it.
package struct TLSIdentity: Sendable {
  package var name: String
  package var tls: any ServerTLS

  package init(name: String, tls: any ServerTLS) {
    self.name = name
    self.tls = tls
  }
}
