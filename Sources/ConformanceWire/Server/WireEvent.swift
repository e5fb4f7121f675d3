import ConformanceModel

/// What a mock server reports, in the order in which it happened.
///
/// A request is *open* from `request` to its `concluded`; every `request` has exactly one. While open it may wait, from
/// `held` to `released`; every `held` has exactly one `released`, and nothing is written between them. Requests of one
/// connection follow each other: the next one comes after the last is concluded, and `kept` is told. `closed` is the last
/// event of a connection.
package enum WireEvent: Hashable, Sendable {
  /// A client connected; connections are counted from 1.
  case connected(connection: Int)
  /// A whole request arrived; reported before the responder is asked.
  case request(RequestRecord)
  /// Bytes arrived that are no request: why, and the first 64 KiB of them. A 400 and the end of the connection follow
  /// if the client is still there.
  case malformed(connection: Int, reason: String, Octets)
  /// A fault fired; before the response it bends.
  case fault(connection: Int, kind: String)
  /// A response is on its way, as it is sent; before its first bytes are written.
  case response(ResponseRecord)
  /// The reply waits from now on: a pause began, or it will never go on.
  case held(connection: Int)
  /// The wait is over, before anything more is written; or its connection ended.
  case released(connection: Int)
  /// The request was answered completely, or its connection ended.
  case concluded(connection: Int)
  /// What the TLS handshake of a connection came to; before any request on it.
  case handshake(TLSHandshake)
  /// The last request was answered completely and the connection stays for another one.
  case kept(connection: Int)
  /// The connection ended, and who ended it. An idle one was kept and nothing came on it since.
  case closed(connection: Int, by: TranscriptEntry.Closer, isIdle: Bool)
}
