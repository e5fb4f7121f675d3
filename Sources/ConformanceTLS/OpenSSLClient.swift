import ConformanceTranscript
import ConformanceWire
import NIOCore
import Synchronization

/// The client side of TLS with OpenSSL. It makes the TLS settings once, before the first connection.
package final class OpenSSLClient: ClientTLS {
  private let ready = Mutex<TLSSettings?>(nil)
  /// Certificates in PEM that the client trusts in addition to the system's roots.
  private let trusted: [[UInt8]]
  private let systemFile: String?

  /// A client that verifies the server's certificate and name with the system's roots.
  package convenience init() { self.init(trusting: [], systemFile: SystemRoots.fileElsewhere) }

  init(trusting trusted: [[UInt8]], systemFile: String?) {
    self.trusted = trusted
    self.systemFile = systemFile
  }

  package func prepare() throws(WireFailure) { _ = try settings() }

  package func handler(for host: String) throws -> any ChannelHandler {
    TLSHandler(try TLSSession(settings(), server: host))
  }

  package func trusting(_ pem: String) throws(WireFailure) -> any ClientTLS {
    let client = OpenSSLClient(trusting: trusted + [Array(pem.utf8)], systemFile: systemFile)
    guard (try? client.settings()) != nil else {
      throw WireFailure(.tls, "the trusted text contains no readable certificate in PEM")
    }
    return client
  }

  package func failure(_ error: any Error, host: String) -> WireFailure? {
    guard let problem = error as? TLSProblem else { return nil }
    if problem == .cut {
      return WireFailure(.closed, "the connection ended without the end of TLS: the response may be cut off")
    }
    return WireFailure(.tls, TLSFailure.reason(problem, host: host))
  }

  private func settings() throws(WireFailure) -> TLSSettings {
    do {
      return try ready.withLock { ready in
        let settings = try ready ?? TLSSettings.client(trusting: trusted, systemFile: systemFile)
        ready = settings
        return settings
      }
    } catch {
      throw WireFailure(.tls, "the TLS settings of the client cannot be used: \(error)")
    }
  }
}
