import ConformanceModel
import ConformanceTranscript
import NIOCore

/// The TLS of mock servers. ``MockServer`` itself does not link a TLS library.
package protocol ServerTLS: Sendable {
  /// The certificate, in PEM, of the authority that a client must trust.
  var authority: String { get }

  /// The channel handlers that speak TLS with one client. The server's certificate is for `name`, and has the flaw; it
  /// is valid if `flaw` is nil.
  ///
  /// The outcome of the handshake is reported once, before any data of the client.
  func handlers(
    for name: String, flaw: Fault.CertificateFlaw?, report: @escaping (TLSHandshake.Outcome, String) -> Void
  ) throws -> [any ChannelHandler]
}

/// The host name of a mock server, and the implementation of its TLS.
package struct TLSIdentity: Sendable {
  package var name: String
  package var tls: any ServerTLS

  package init(name: String, tls: any ServerTLS) {
    self.name = name
    self.tls = tls
  }
}
