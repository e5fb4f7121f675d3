import ConformanceModel
import NIOCore

/// What lets a client speak TLS; ``WireClient`` itself links no library for it.
package protocol ClientTLS: Sendable {
  /// Makes ready what all its connections share; does nothing when that is done.
  func prepare() throws(WireFailure)

  /// A handler that speaks TLS with a server and verifies that it is the one of this name.
  func handler(for host: String) throws -> any ChannelHandler

  /// The same for a client that also trusts the certificates of a text in PEM.
  func trusting(_ pem: String) throws(WireFailure) -> any ClientTLS

  /// What an error of a connection means; nil when it is none of TLS.
  func failure(_ error: any Error, host: String) -> WireFailure?
}
