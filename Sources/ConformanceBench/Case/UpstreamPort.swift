import ConformanceModel
import ConformanceWire
import JSONKit
import NIOCore
import NIOPosix
import Synchronization

/// A port at which a service that the kit plays can be called: a socket that is lent to one case at a time.
///
/// Mostly it lives as long as its case. That of a subject which is told its addresses once lives as long as the subject.
final class UpstreamPort: Sendable {
  /// Who answers and hears what happens at the port.
  struct Borrower: Sendable {
    var reply: @Sendable (RequestRecord) -> WireReply
    var journal: @Sendable (WireEvent) -> Void
  }

  private final class Lending: Sendable {
    let borrower = Mutex<Borrower?>(nil)
    let hasBeenCalled = Mutex(false)

    /// Nobody plays the service between two cases: whoever calls it then came too late for the one and too early for
    /// the other.
    func reply(to record: RequestRecord) -> WireReply {
      borrower.withLock { $0 }?.reply(record) ?? WireReply(response: HTTPResponse(status: 503), to: record, at: .now)
    }

    func journal(_ event: WireEvent) {
      hasBeenCalled.withLock { $0 = true }
      borrower.withLock { $0 }?.journal(event)
    }
  }

  /// The name of loopback where nobody asks for another.
  static let loopback = "127.0.0.1"

  let service: ServiceName
  /// The name under which the subject is told of the port.
  let host: String
  /// Whether it speaks TLS.
  let speaksTLS: Bool
  private let server: MockServer
  private let lending: Lending

  private init(service: ServiceName, host: String, speaksTLS: Bool, server: MockServer, lending: Lending) {
    self.service = service
    self.host = host
    self.speaksTLS = speaksTLS
    self.server = server
    self.lending = lending
  }

  /// Opens a port on loopback; its pauses wait for the clock. One that speaks TLS has a name of its own, by which its
  /// certificate is held against it. It lives on one of the loops.
  static func open(
    _ service: ServiceName, host: String = loopback, tls: (any ServerTLS)? = nil, name: String? = nil,
    clock: any WireClock, on loops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws -> UpstreamPort {
    let lending = Lending()
    let host = tls == nil ? host : name ?? "\(service).test"
    let server = try await MockServer.start(
      name: service.rawValue, clock: clock, responder: { lending.reply(to: $0) }, journal: { lending.journal($0) },
      options: .init(group: loops, tls: tls.map { TLSIdentity(name: host, tls: $0) }))
    return UpstreamPort(service: service, host: host, speaksTLS: tls != nil, server: server, lending: lending)
  }

  /// Whether anybody has ever connected.
  var hasBeenCalled: Bool { lending.hasBeenCalled.withLock(\.self) }

  /// Gives the port to a case; nil takes it back.
  func lend(to borrower: Borrower?) { lending.borrower.withLock { $0 = borrower } }

  /// Its root.
  var url: String { "\(speaksTLS ? "https" : "http")://\(host):\(server.port)" }

  /// Where the subject finds it: `url` with the mount point, `port`, `host`.
  func address(mount: String) -> JSON {
    [
      "url": .string(url + mount), "port": .int(server.port),
      "host": .string("\(host):\(server.port)"),
    ]
  }

  func show(_ flaw: Fault.CertificateFlaw?) async throws { try await server.show(flaw) }

  func refuse() async throws { try await server.refuse() }

  func listen() async throws { try await server.listen() }

  /// Releases the requests whose clients have left by now.
  func noticeDepartures() async { await server.noticeDepartures() }

  /// Returns when the borrowers have heard of all that the subject had sent to these ports by now.
  static func readDry(_ ports: some Sequence<UpstreamPort>) async {
    // A loop that has shut down has nothing more to tell.
    for dry in MockServer.readDry(ports.map(\.server)) { try? await dry.get() }
  }

  /// The same for what happens on the loop; nil when they have.
  static func readDry(_ ports: some Sequence<UpstreamPort>, on loop: any EventLoop) -> EventLoopFuture<Void>? {
    MockServer.readDry(ports.map(\.server), on: loop)
  }

  func close() async { await server.stop() }
}
