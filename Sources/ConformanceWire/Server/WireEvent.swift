import ConformanceTranscript
import HTTPValues

/// An event of a mock server. Events come in the order in which they happened.
///
/// A request is *open* from `request` to `concluded`; exactly one `concluded` follows each `request`. The reply to an
/// open request may wait, from `held` to `released`; exactly one `released` follows each `held`, and nothing is written
/// between them. Requests on one connection do not overlap: the next `request` follows the `concluded` and `kept` of
/// the request before it. `closed` is the last event of a connection.
package enum WireEvent: Hashable, Sendable {
  /// A client connected; connections are counted from 1.
  case connected(connection: Int)
  /// A whole request arrived; reported after the responder has decided the reply.
  case request(RequestRecord)
  /// Bytes arrived that are not a request: the reason, and the first 64 KiB of the bytes. If the client is still there,
  /// the kit answers with an error status, mostly 400, and ends the connection.
  case malformed(connection: Int, reason: String, Octets)
  /// A fault fired; reported before the response that it changes.
  case fault(connection: Int, kind: String)
  /// A response is about to be sent; reported before its first bytes are written.
  case response(ResponseRecord)
  /// The reply waits from now on: for the clock, for a barrier or for another reply, or without end.
  case held(connection: Int)
  /// The wait is over: the reply continues, or its connection ended.
  case released(connection: Int)
  /// The request was answered completely, or its connection ended.
  case concluded(connection: Int)
  /// The outcome of the TLS handshake of a connection; reported before any request on it.
  case handshake(TLSHandshake)
  /// The last request was answered completely and the connection stays open for another request.
  case kept(connection: Int)
  /// The side `by` ended the connection. `isIdle` is true if `kept` came before this event and no byte has arrived
  /// since.
  case closed(connection: Int, by: TranscriptEntry.Closer, isIdle: Bool)
}
