import COpenSSL

/// A certificate with its private key. Neither of them changes after it is made, so any thread may use both.
struct Credentials: Sendable {
  let certificate: Certificate
  let key: PrivateKey

  /// A certificate (RFC 5280).
  final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    init() throws(TLSProblem) {
      TLSProblem.clear()
      guard let pointer = X509_new() else { throw TLSProblem.last() }
      self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// The certificate in PEM (RFC 7468).
    var pem: String {
      let memory = BIO_new(BIO_s_mem())
      defer { BIO_free(memory) }
      var start: UnsafeMutablePointer<CChar>?
      guard PEM_write_bio_X509(memory, pointer) == 1, case let count = copenssl_content(memory, &start), let start
      else {
        return ""
      }
      return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// A key on P-256.
  final class PrivateKey: @unchecked Sendable {
    let pointer: OpaquePointer

    init() throws(TLSProblem) {
      TLSProblem.clear()
      guard let pointer = copenssl_new_key() else { throw TLSProblem.last() }
      self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }
  }
}
