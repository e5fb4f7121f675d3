import COpenSSL

/// The TLS settings of a client, or of a server under one of its names. All connections of this client, or to this name
/// of the server, share the settings. Once the settings exist, OpenSSL lets any thread use them.
final class TLSSettings: @unchecked Sendable {
  let pointer: OpaquePointer
  let isServer: Bool
  /// The root certificates of the system, which a client trusts in addition to the certificates that it is given; nil
  /// for a server, which verifies no certificates.
  private let roots: SystemRoots?

  private init(isServer: Bool, systemFile: String? = nil) throws(TLSProblem) {
    TLSProblem.clear()
    guard let pointer = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
      throw TLSProblem.last()
    }
    self.pointer = pointer
    self.isServer = isServer
    roots = isServer ? nil : SystemRoots(for: SSL_CTX_get_cert_store(pointer), in: systemFile)
    guard copenssl_restrict(pointer) == 1 else { throw TLSProblem.last() }
  }

  deinit { SSL_CTX_free(pointer) }

  /// The settings of a client that verifies servers with the system's roots and with these certificates in PEM.
  ///
  /// - Throws: ``TLSProblem`` if one of the texts contains no certificate, or contains a certificate that cannot be
  ///   read.
  static func client(trusting texts: [[UInt8]], systemFile: String?) throws(TLSProblem) -> TLSSettings {
    let settings = try TLSSettings(isServer: false, systemFile: systemFile)
    SSL_CTX_set_verify(settings.pointer, SSL_VERIFY_PEER, nil)
    for text in texts { try settings.trust(text) }
    return settings
  }

  /// The settings of a server that presents this certificate.
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
    // The end of a text is also an error: OpenSSL finds no further certificate.
    let end = TLSProblem.last()
    guard count > 0, end.reason == "no start line" else { throw end }
  }
}
