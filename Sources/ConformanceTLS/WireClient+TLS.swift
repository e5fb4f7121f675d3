import ConformanceModel
import ConformanceWire
import NIOSSL

extension WireClient {
  /// A client that also speaks TLS, and trusts what the system trusts.
  package static func verifying(limits: Limits) -> WireClient { WireClient(limits: limits, tls: BoringSSLClient()) }

  /// A client that trusts the certificates of a file in PEM besides the system's.
  ///
  /// - Throws: a failure of the kind `tls` when the file cannot be read, or holds none.
  package static func trusting(_ file: String, limits: Limits) throws(WireFailure) -> WireClient {
    var configuration = TLSConfiguration.makeClientConfiguration()
    let certificates = try? NIOSSLCertificate.fromPEMFile(file)
    guard let certificates, !certificates.isEmpty else {
      throw WireFailure(.tls, "'\(file)' holds no certificate in PEM that can be read")
    }
    configuration.additionalTrustRoots = [.certificates(certificates)]
    return WireClient(limits: limits, tls: BoringSSLClient(configuration))
  }
}
