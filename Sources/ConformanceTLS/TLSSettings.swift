import COpenSSL
import Glibc

/// What all connections of a client, or of a server under one name, share. OpenSSL lets any thread use it once it is made.
final class TLSSettings: @unchecked Sendable {
  let pointer: OpaquePointer
  let isServer: Bool

  private init(isServer: Bool) throws(TLSProblem) {
    TLSProblem.clear()
    guard let pointer = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
      throw TLSProblem.last()
    }
    self.pointer = pointer
    self.isServer = isServer
    guard copenssl_restrict(pointer) == 1 else { throw TLSProblem.last() }
  }

  deinit { SSL_CTX_free(pointer) }

  /// A client that verifies its servers by the system's roots and by the certificates of these texts in PEM.
  ///
  /// - Throws: where a text holds no certificate, or one that cannot be read.
  static func client(trusting texts: [[UInt8]] = []) throws(TLSProblem) -> TLSSettings {
    let settings = try TLSSettings(isServer: false)
    SSL_CTX_set_verify(settings.pointer, SSL_VERIFY_PEER, nil)
    settings.trustSystem()
    for text in texts { try settings.trust(text) }
    return settings
  }

  /// A server that shows this certificate.
  static func server(_ credentials: Credentials) throws(TLSProblem) -> TLSSettings {
    let settings = try TLSSettings(isServer: true)
    guard SSL_CTX_use_certificate(settings.pointer, credentials.certificate.pointer) == 1,
      SSL_CTX_use_PrivateKey(settings.pointer, credentials.key.pointer) == 1
    else { throw TLSProblem.last() }
    return settings
  }

  private func trust(_ text: [UInt8]) throws(TLSProblem) {
    TLSProblem.clear()
    let memory = text.withUnsafeBytes { BIO_new_mem_buf($0.baseAddress, Int32($0.count)) }
    defer { BIO_free(memory) }
    var count = 0
    while let certificate = PEM_read_bio_X509(memory, nil, nil, nil) {
      X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), certificate)
      X509_free(certificate)
      count += 1
    }
    // The end of a text is told as an error too: that no further certificate begins.
    let end = TLSProblem.last()
    guard count > 0, end.reason == "no start line" else { throw end }
  }

  /// OpenSSL looks where its makers had it look, and where `SSL_CERT_FILE` and `SSL_CERT_DIR` say. A program that was moved
  /// to another system finds that one's roots in a file.
  private func trustSystem() {
    SSL_CTX_set_default_verify_paths(pointer)
    let own = [X509_get_default_cert_file(), X509_get_default_cert_dir()].compactMap { $0.map { String(cString: $0) } }
    guard !own.contains(where: Self.isThere), let file = Self.rootFiles.first(where: Self.isThere) else { return }
    SSL_CTX_load_verify_file(pointer, file)
  }

  private static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Where distributions have the roots that they trust.
  private static let rootFiles = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/ssl/cert.pem",
  ]
}
