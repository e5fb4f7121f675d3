import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import NIOCore
import NIOPosix
import Synchronization

/// A port at which the kit provides a service that the subject calls. It serves one case at a time.
///
/// Usually a port is opened for one case and closed at its end. But if a subject gets the addresses of the ports only
/// when it starts, the ports stay open as long as the subject runs.
package final class UpstreamPort: Sendable {
  /// The case that uses the port at present. It answers the requests at the port and receives the port's events.
  package struct Owner: Sendable {
    var reply: @Sendable (RequestRecord) -> WireReply
    var journal: @Sendable (WireEvent) -> Void

    package init(
      reply: @escaping @Sendable (RequestRecord) -> WireReply, journal: @escaping @Sendable (WireEvent) -> Void
    ) {
      self.reply = reply
      self.journal = journal
    }
  }

  private final class Assignment: Sendable {
    let owner = Mutex<Owner?>(nil)
    let hasBeenCalled = Mutex(false)

    /// The owner's reply to a request. If the port has no owner, the reply has the status 503, since a request between
    /// two cases belongs to neither of them.
    func reply(to record: RequestRecord) -> WireReply {
      owner.withLock { $0 }?.reply(record) ?? WireReply(response: HTTPResponse(status: 503), to: record, at: .now)
    }

    func journal(_ event: WireEvent) {
      hasBeenCalled.withLock { $0 = true }
      owner.withLock { $0 }?.journal(event)
    }
  }

  /// The host name of a port for which no other name is given.
  package static let loopback = "127.0.0.1"

  package let service: ServiceName
  /// The host name in the addresses that the subject gets.
  package let host: String
  /// Whether the port uses TLS.
  package let speaksTLS: Bool
  private let server: MockServer
  private let assignment: Assignment

  private init(service: ServiceName, host: String, speaksTLS: Bool, server: MockServer, assignment: Assignment) {
    self.service = service
    self.host = host
    self.speaksTLS = speaksTLS
    self.server = server
    self.assignment = assignment
  }

  /// Opens a port on one of the event loops. `clock` measures the delays of replies. A port with TLS has the host name
  /// `name`, and its certificate is issued for this name.
  ///
  /// - Parameters:
  ///   - address: the address to listen at.
  ///   - port: the number of the port; 0 takes a free number.
  package static func open(
    _ service: ServiceName, host: String = loopback, tls: (any ServerTLS)? = nil, name: String? = nil,
    address: String = loopback, port: Int = 0, clock: any LogicalClock,
    on loops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws -> UpstreamPort {
    let assignment = Assignment()
    let host = tls == nil ? host : name ?? "\(service).test"
    let server = try await MockServer.start(
      name: service.rawValue, host: address, port: port, clock: clock, responder: { assignment.reply(to: $0) },
      journal: { assignment.journal($0) },
      options: .init(group: loops, tls: tls.map { TLSIdentity(name: host, tls: $0) }))
    return UpstreamPort(service: service, host: host, speaksTLS: tls != nil, server: server, assignment: assignment)
  }

  /// Whether any client has connected to the port since it was opened.
  var hasBeenCalled: Bool { assignment.hasBeenCalled.withLock(\.self) }

  /// Makes a case the owner of the port. If `owner` is nil, the port has no owner from now on.
  package func assign(to owner: Owner?) { assignment.owner.withLock { $0 = owner } }

  /// The base URL.
  var url: String { "\(speaksTLS ? "https" : "http")://\(host):\(server.port)" }

  /// The address as JSON, in the form in which the subject gets it: the base URL with the path `mount` (`url`), the
  /// port number (`port`), and the host with the port (`host`).
  package func address(mount: String) -> JSON {
    [
      "url": .string(url + mount), "port": .int(server.port),
      "host": .string("\(host):\(server.port)"),
    ]
  }

  package func show(_ flaw: Fault.CertificateFlaw?) async throws { try await server.show(flaw) }

  package func refuse() async throws { try await server.refuse() }

  package func listen() async throws { try await server.listen() }

  /// Closes the connections of clients that disconnected before their reply was sent. Returns once these connections
  /// are closed.
  package func noticeDepartures() async { await server.noticeDepartures() }

  /// Returns once the owners of these ports have received everything that the subject has sent by now.
  package static func readDry(_ ports: some Sequence<UpstreamPort>) async {
    // A loop that has shut down has no more events.
    for dry in MockServer.readDry(ports.map(\.server)) { try? await dry.get() }
  }

  /// Like ``readDry(_:)``, but for a caller on the event loop `loop`. Returns nil if nothing has arrived at the ports,
  /// so that the caller need not wait.
  package static func readDry(_ ports: some Sequence<UpstreamPort>, on loop: any EventLoop) -> EventLoopFuture<Void>? {
    MockServer.readDry(ports.map(\.server), on: loop)
  }

  package func close() async { await server.stop() }
}
