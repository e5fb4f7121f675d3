import COpenSSL
import NIOCore

/// The TLS of one connection with OpenSSL. It converts bytes in memory, and uses neither sockets nor clocks.
final class TLSSession {
  private let session: OpaquePointer
  /// The buffers for input from the other side and for output to it. The session owns both.
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  /// The settings of the connection. The session keeps them alive, because verification uses their roots, which OpenSSL
  /// does not keep.
  private let settings: TLSSettings

  /// - Parameter server: the server's name in the URL, for which its certificate must be valid; nil on the side of the
  ///   server.
  init(_ settings: TLSSettings, server: String? = nil) throws(TLSProblem) {
    TLSProblem.clear()
    guard let session = SSL_new(settings.pointer) else { throw TLSProblem.last() }
    let (first, second) = (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    guard let incoming = first, let outgoing = second else {
      let problem = TLSProblem.last()
      // Freeing nil is allowed.
      BIO_free(first)
      BIO_free(second)
      SSL_free(session)
      throw problem
    }
    self.settings = settings
    self.session = session
    self.incoming = incoming
    self.outgoing = outgoing
    SSL_set_bio(session, incoming, outgoing)
    if settings.isServer { SSL_set_accept_state(session) } else { SSL_set_connect_state(session) }
    if let server { try expect(server) }
  }

  deinit { SSL_free(session) }

  /// Adds bytes from the other side to the input.
  func take(_ bytes: ByteBufferView) {
    bytes.withUnsafeBytes { _ = BIO_write(incoming, $0.baseAddress, Int32($0.count)) }
  }

  /// Removes and returns the bytes for the other side; nil if no bytes are waiting.
  func output(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
    var start: UnsafeMutablePointer<CChar>?
    let count = copenssl_content(outgoing, &start)
    guard count > 0, let start else { return nil }
    var buffer = allocator.buffer(capacity: count)
    buffer.writeBytes(UnsafeRawBufferPointer(start: start, count: count))
    BIO_ctrl(outgoing, BIO_CTRL_RESET, 0, nil)
    return buffer
  }

  /// Continues the handshake. Returns whether the handshake is complete.
  func shakeHands() throws(TLSProblem) -> Bool {
    TLSProblem.clear()
    return try ended(SSL_do_handshake(session)) == .done
  }

  /// Reads all available data. Returns whether the other side has sent its close alert.
  func read(into buffer: inout ByteBuffer) throws(TLSProblem) -> Bool {
    while true {
      TLSProblem.clear()
      var result: Int32 = 0
      buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { space in
        result = SSL_read(session, space.baseAddress, Int32(space.count))
        return max(0, Int(result))
      }
      switch try ended(result) {
      case .done: continue
      case .needsMore: return false
      case .farewell: return true
      }
    }
  }

  /// Encrypts all of the bytes, and adds the result to the output.
  func write(_ bytes: ByteBufferView) throws(TLSProblem) {
    guard !bytes.isEmpty else { return }
    TLSProblem.clear()
    _ = try ended(bytes.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32($0.count)) })
  }

  /// Adds the close alert to the output.
  func end() {
    TLSProblem.clear()
    SSL_shutdown(session)
  }

  private enum Ending { case done, needsMore, farewell }

  private func ended(_ result: Int32) throws(TLSProblem) -> Ending {
    guard result <= 0 else { return .done }
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsMore
    case SSL_ERROR_ZERO_RETURN: return .farewell
    default: throw TLSProblem.last(of: session)
    }
  }

  /// Sets the server name or IP address for which the certificate must be valid. The handshake contains a server name,
  /// but never an IP address (RFC 6066 §3).
  private func expect(_ server: String) throws(TLSProblem) {
    let isSet =
      if (try? SocketAddress(ipAddress: server, port: 0)) != nil {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), server) == 1
      } else {
        copenssl_tell_name(session, server) == 1 && SSL_set1_host(session, server) == 1
      }
    guard isSet else { throw TLSProblem.last() }
  }

  /// The largest number of bytes in one record (RFC 8446 §5.1).
  private static let recordSize = 16 << 10
}
