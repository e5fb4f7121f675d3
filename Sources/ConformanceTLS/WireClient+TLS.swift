import ConformanceModel
import ConformanceWire
import FoundationEssentials

extension WireClient {
  /// A client that also speaks TLS, and trusts what the system trusts.
  package static func verifying(limits: Limits) -> WireClient { WireClient(limits: limits, tls: OpenSSLClient()) }

  /// A client that trusts the certificates of a file in PEM besides the system's.
  ///
  /// - Throws: a failure of the kind `tls` when the file cannot be read, or holds none.
  package static func trusting(_ file: String, limits: Limits) throws(WireFailure) -> WireClient {
    guard let text = try? Data(contentsOf: URL(filePath: file)),
      let client = try? OpenSSLClient().trusting(String(decoding: text, as: UTF8.self))
    else {
      throw WireFailure(.tls, "'\(file)' holds no certificate in PEM that can be read")
    }
    return WireClient(limits: limits, tls: client)
  }
}
