import ConformanceModel
import ConformanceWire
import NIOCore
import NIOSSL
import Synchronization

/// TLS of a client by BoringSSL, made ready once: loading the system's roots takes tens of milliseconds.
package final class BoringSSLClient: ClientTLS {
  private let ready: Mutex<NIOSSLContext?>
  private let configuration: TLSConfiguration

  /// By default the server's certificate and name are verified, by the system's roots.
  package init(_ configuration: TLSConfiguration = .makeClientConfiguration()) {
    self.configuration = configuration
    ready = Mutex(nil)
  }

  package func prepare() throws(WireFailure) { _ = try context() }

  package func handler(for host: String) throws -> any ChannelHandler {
    // The name that a handshake tells is never an address (RFC 6066 §3).
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    return try NIOSSLClientHandler(context: context(), serverHostname: isAddress ? nil : host)
  }

  package func trusting(_ pem: String) throws(WireFailure) -> any ClientTLS {
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
      throw WireFailure(.tls, "the text to trust holds no certificate in PEM that can be read")
    }
    var configuration = configuration
    configuration.additionalTrustRoots.append(.certificates(certificates))
    return BoringSSLClient(configuration)
  }

  package func failure(_ error: any Error, host: String) -> WireFailure? {
    switch error {
    case NIOSSLError.uncleanShutdown:
      WireFailure(.closed, "the connection ended without TLS saying so: the response may be cut")
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      WireFailure(.tls, TLSFailure.reason(error, host: host))
    default: nil
    }
  }

  private func context() throws(WireFailure) -> NIOSSLContext {
    do {
      return try ready.withLock { ready in
        let context = try ready ?? NIOSSLContext(configuration: configuration)
        ready = context
        return context
      }
    } catch {
      throw WireFailure(.tls, "the TLS settings of the client cannot be used: \(error)")
    }
  }
}
