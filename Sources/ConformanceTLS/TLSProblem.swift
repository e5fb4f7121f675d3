import COpenSSL

/// Why TLS failed, in the words of OpenSSL.
struct TLSProblem: Error, CustomStringConvertible {
  /// Such as `wrong version number`.
  var reason: String
  /// What was found wrong with the server's certificate (`X509_V_ERR_…`); 0 for nothing.
  var verification = 0

  /// The connection ended before both sides had keys.
  static let endedEarly = TLSProblem(reason: "the connection ended during the handshake")
  /// The connection ended without a farewell, so that what came may not be all (RFC 8446 §6.1).
  static let cut = TLSProblem(reason: "the connection ended without TLS saying so")

  init(reason: String) { self.reason = reason }

  /// The first that went wrong in this thread since ``clear()``.
  static func last(of session: OpaquePointer? = nil) -> TLSProblem {
    let code = ERR_get_error()
    var problem = TLSProblem(
      reason: ERR_reason_error_string(code).map { String(cString: $0) } ?? "error number \(code)")
    if let session { problem.verification = SSL_get_verify_result(session) }
    clear()
    return problem
  }

  /// Forgets what earlier calls of this thread left behind, as OpenSSL asks for before each.
  static func clear() { ERR_clear_error() }

  var isOtherName: Bool {
    [Int(X509_V_ERR_HOSTNAME_MISMATCH), Int(X509_V_ERR_IP_ADDRESS_MISMATCH)].contains(verification)
  }

  var description: String { reason }
}

extension TLSProblem: Equatable {}
