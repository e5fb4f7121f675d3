import COpenSSL

/// The reason why TLS failed, in the words of OpenSSL.
struct TLSProblem: Error, CustomStringConvertible {
  /// The reason, such as `wrong version number`.
  var reason: String
  /// The error in the verification of the server's certificate (`X509_V_ERR_…`); 0 if there was none.
  var verification = 0

  /// The connection ended before the handshake was complete.
  static let endedEarly = TLSProblem(reason: "the connection ended during the handshake")
  /// The connection ended without a close alert, so data may be missing (RFC 8446 §6.1).
  static let cut = TLSProblem(reason: "the connection ended without the end of TLS")

  init(reason: String) { self.reason = reason }

  /// The problem that the first error in this thread since ``clear()`` describes.
  static func last(of session: OpaquePointer? = nil) -> TLSProblem {
    let code = ERR_get_error()
    var problem = TLSProblem(
      reason: ERR_reason_error_string(code).map { String(cString: $0) } ?? "error number \(code)")
    if let session { problem.verification = SSL_get_verify_result(session) }
    clear()
    return problem
  }

  /// Clears the errors of earlier calls in this thread, as OpenSSL requires before each call.
  static func clear() { ERR_clear_error() }

  var isOtherName: Bool {
    [Int(X509_V_ERR_HOSTNAME_MISMATCH), Int(X509_V_ERR_IP_ADDRESS_MISMATCH)].contains(verification)
  }

  var description: String { reason }
}

extension TLSProblem: Equatable {}
