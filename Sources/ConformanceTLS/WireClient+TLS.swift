import COpenSSL
import ConformanceTranscript
import ConformanceWire

extension WireClient {
  /// A client that also supports TLS and trusts the system's root certificates.
  package static func verifying(limits: Limits) -> WireClient { WireClient(limits: limits, tls: OpenSSLClient()) }

  /// A client that trusts the certificates in a PEM file in addition to the certificates of the system.
  ///
  /// - Throws: a failure of the kind `tls` if the file cannot be read or contains no certificate.
  package static func trusting(_ file: String, limits: Limits) throws(WireFailure) -> WireClient {
    guard let text = text(of: file), let client = try? OpenSSLClient().trusting(text) else {
      throw WireFailure(.tls, "'\(file)' contains no readable certificate in PEM")
    }
    return WireClient(limits: limits, tls: client)
  }

  /// Reads a file with OpenSSL, not with Foundation: adapters also contain this module, and Foundation would slow their
  /// start.
  private static func text(of file: String) -> String? {
    guard let stream = BIO_new_file(file, "r") else { return nil }
    defer { BIO_free(stream) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = BIO_read(stream, &piece, Int32(piece.count))
      guard count > 0 else { return count < 0 ? nil : String(decoding: text, as: UTF8.self) }
      text += piece[..<Int(count)]
    }
  }
}
