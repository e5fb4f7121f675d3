import COpenSSL

/// A certificate authority with a P-256 key. Key and certificates (RFC 5280) are made for each run and exist only in
/// this process, so a later run cannot find expired certificates.
struct CertificateAuthority: Sendable {
  private let name: String
  private let own: Credentials

  /// - Parameter lifetime: the time for which the authority's certificate is valid, in seconds since 1970.
  init(name: String, lifetime: Range<Int>) throws(TLSProblem) {
    self.name = name
    let key = try Credentials.PrivateKey()
    let certificate = try Self.unsigned(for: key, name: name, by: name, lifetime: lifetime)
    // The authority may sign certificates of servers, but not of other authorities.
    try Self.extend(
      certificate, by: certificate,
      [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
      ])
    try Self.sign(certificate, with: key)
    own = Credentials(certificate: certificate, key: key)
  }

  /// The authority's own certificate.
  var certificate: Credentials.Certificate { own.certificate }

  /// A certificate with a new key for a server with this name. If `address` contains the bytes of an IP address, the
  /// certificate is also valid for this address.
  func issue(for host: String, address: [UInt8] = [], lifetime: Range<Int>) throws(TLSProblem) -> Credentials {
    let key = try Credentials.PrivateKey()
    let certificate = try Self.unsigned(for: key, name: host, by: name, lifetime: lifetime)
    try Self.extend(
      certificate, by: own.certificate,
      [
        (NID_key_usage, "critical,digitalSignature"), (NID_ext_key_usage, "serverAuth"),
        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
      ])
    guard copenssl_add_subject(certificate.pointer, host, address, Int32(address.count)) == 1 else {
      throw TLSProblem.last()
    }
    try Self.sign(certificate, with: own.key)
    return Credentials(certificate: certificate, key: key)
  }

  private static func unsigned(
    for key: Credentials.PrivateKey, name: String, by issuer: String, lifetime: Range<Int>
  ) throws(TLSProblem) -> Credentials.Certificate {
    let certificate = try Credentials.Certificate()
    let pointer = certificate.pointer
    let isMade =
      X509_set_version(pointer, 2) == 1  // 2 means version 3
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), UInt64.random(in: 1...UInt64.max)) == 1
      && ASN1_TIME_set(X509_getm_notBefore(pointer), lifetime.lowerBound) != nil
      && ASN1_TIME_set(X509_getm_notAfter(pointer), lifetime.upperBound) != nil
      && call(X509_get_subject_name(pointer), name) && call(X509_get_issuer_name(pointer), issuer)
      && X509_set_pubkey(pointer, key.pointer) == 1
    guard isMade else { throw TLSProblem.last() }
    return certificate
  }

  private static func call(_ entry: OpaquePointer?, _ name: String) -> Bool {
    X509_NAME_add_entry_by_NID(entry, NID_commonName, MBSTRING_UTF8, Array(name.utf8), Int32(name.utf8.count), -1, 0)
      == 1
  }

  private static func extend(
    _ certificate: Credentials.Certificate, by issuer: Credentials.Certificate, _ extensions: [(Int32, String)]
  ) throws(TLSProblem) {
    for (kind, words) in extensions
    where copenssl_extend(certificate.pointer, issuer.pointer, kind, words) != 1 {
      throw TLSProblem.last()
    }
  }

  private static func sign(
    _ certificate: Credentials.Certificate, with key: Credentials.PrivateKey
  ) throws(TLSProblem) {
    guard X509_sign(certificate.pointer, key.pointer, EVP_sha256()) > 0 else { throw TLSProblem.last() }
  }
}
