import ConformanceTranscript
import NIOCore

/// The TLS of a client. ``WireClient`` itself does not link a TLS library.
package protocol ClientTLS: Sendable {
  /// Prepares the state that all connections share; does nothing after the first call.
  func prepare() throws(WireFailure)

  /// A handler that speaks TLS with a server, and verifies that the server has this name.
  func handler(for host: String) throws -> any ChannelHandler

  /// A copy that also trusts the certificates in a PEM text.
  func trusting(_ pem: String) throws(WireFailure) -> any ClientTLS

  /// The failure to report if a connection ends with this error; nil if the error is not about TLS.
  func failure(_ error: any Error, host: String) -> WireFailure?
}
