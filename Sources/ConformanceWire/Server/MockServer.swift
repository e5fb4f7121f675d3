import ConformanceModel
import ConformanceTranscript
import NIOCore
import NIOPosix

/// An HTTP/1.1 server on a port of its own. The responder decides each answer, byte for byte.
///
/// The listener and all connections of one server live on one event loop. The responder and the journal are called on
/// this loop, one call at a time. So events reach the journal in one total order, and when a client gets an answer, the
/// journal has received everything that led to it. The responder and the journal must not block.
///
/// A server must be stopped; until then, it keeps its sockets.
package final class MockServer: Sendable {
  /// The options of a server.
  package struct Options: Sendable {
    /// The limits of a request.
    package var limits: HTTPMessageReader.Limits
    /// The real time for which the connection stays open after a refusal, so that a client that is still sending can
    /// read the refusal (RFC 9112 §9.6).
    package var farewell: Duration
    /// The group of event loops from which the server takes one.
    package var group: any EventLoopGroup
    /// The identity for TLS; nil for plain HTTP.
    package var tls: TLSIdentity?
    /// The limits for all clients together; nil for no limits.
    package var bounds: ServiceBounds?

    package init(
      limits: HTTPMessageReader.Limits = .init(), farewell: Duration = .seconds(1),
      group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, tls: TLSIdentity? = nil,
      bounds: ServiceBounds? = nil
    ) {
      self.limits = limits
      self.farewell = farewell
      self.group = group
      self.tls = tls
      self.bounds = bounds
    }
  }

  /// The error if a server cannot listen.
  package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// The errno, if a system call failed.
    package var code: Int32?

    package init(description: String, code: Int32? = nil) {
      self.description = description
      self.code = code
    }
  }

  package let name: String
  package let host: String
  /// The port number, which stays the same for the server's whole life.
  package let port: Int
  private let mock: NIOLoopBound<MockPort>

  private init(name: String, host: String, port: Int, mock: NIOLoopBound<MockPort>) {
    self.name = name
    self.host = host
    self.port = port
    self.mock = mock
  }

  /// Reserves a port number and listens on it.
  ///
  /// - Parameters:
  ///   - name: the name of the server in failures.
  ///   - host: an address or name of this machine; loopback unless the network must reach the server.
  ///   - port: 0 means a free number.
  ///   - clock: the clock for pauses of replies.
  ///   - responder: decides the reply to a request, on the event loop, before the journal receives the request.
  ///   - journal: receives the events, on the event loop.
  /// - Throws: ``ListenFailure``.
  package static func start(
    name: String, host: String = "127.0.0.1", port: Int = 0, clock: any LogicalClock,
    responder: @escaping @Sendable (RequestRecord) -> WireReply,
    journal: @escaping @Sendable (WireEvent) -> Void, options: Options = .init()
  ) async throws -> MockServer {
    do {
      let reservation = try await reserve(host, port)
      let loop = options.group.next()
      let mock = try await loop.submit {
        NIOLoopBound(
          MockPort(loop, reservation, options, clock: clock, responder: responder, journal: journal), eventLoop: loop)
      }.get()
      let server = MockServer(name: name, host: host, port: reservation.address.port ?? port, mock: mock)
      do { try await server.listen() } catch {
        await server.stop()
        throw error
      }
      return server
    } catch let failure as ListenFailure {
      throw failure
    } catch {
      throw ListenFailure(
        description: "the mock server '\(name)' cannot listen on \(host):\(port): \(error)",
        code: (error as? IOError)?.errnoCode)
    }
  }

  /// Listens again on the same port after ``refuse()``.
  ///
  /// - Throws: ``ListenFailure`` if the server has stopped, or the system does not allow it.
  package func listen() async throws {
    try await on { $0.listen() }
  }

  /// Stops listening. Connections are refused, and the number stays reserved. Idle connections are closed. A request
  /// that is being answered gets its answer, and then its connection closes, too.
  ///
  /// - Throws: ``ListenFailure`` if the server has stopped.
  package func refuse() async throws {
    try await on { $0.refuse() }
  }

  /// Presents a certificate with this flaw to every connection from now on, or the valid certificate if `flaw` is nil.
  /// Idle connections are closed, so that the next request gets the new certificate, too.
  package func show(_ flaw: Fault.CertificateFlaw?) async throws {
    try await on { $0.show(flaw) }
  }

  /// Closes the connections of all clients that have left while their reply waits, even if the loop has not read the
  /// end of a connection yet. Returns once these connections are closed.
  package func noticeDepartures() async {
    // A loop that has shut down has no replies.
    try? await mock.eventLoop.flatSubmit { [mock] in mock.value.noticeDepartures() }.get()
  }

  /// The loop of the listener and of all connections.
  var eventLoop: any EventLoop { mock.eventLoop }

  /// Completes once the journal has received everything that clients had sent before this call.
  package func readDry() -> EventLoopFuture<Void> { Self.readDry([self])[0] }

  /// Like ``readDry()``, for several servers. Each of their loops is woken once.
  package static func readDry(_ servers: some Sequence<MockServer>) -> [EventLoopFuture<Void>] {
    Dictionary(grouping: servers) { ObjectIdentifier($0.eventLoop) }.values.map { servers in
      let loop = servers[0].eventLoop
      return loop.flatSubmit {
        MockPort.readDry(servers.map(\.mock.value), on: loop) ?? loop.makeSucceededVoidFuture()
      }
    }
  }

  /// Like ``readDry(_:)``, for a caller on the event loop `loop`. Returns nil if all servers are on this loop and have
  /// nothing to read, so that the caller need not wait.
  package static func readDry(_ servers: [MockServer], on loop: any EventLoop) -> EventLoopFuture<Void>? {
    // This function is called for each message of an adapter, and a key path of two parts is slow.
    let ports = servers.map { $0.mock }
    if ports.allSatisfy({ $0.eventLoop === loop }) { return MockPort.readDry(ports.map { $0.value }, on: loop) }
    return EventLoopFuture.andAllComplete(readDry(servers), on: loop)
  }

  /// Closes everything and releases the number. A pending reply ends when its connection is closed.
  /// Can be called twice.
  package func stop() async {
    // Stopping can fail only if the loop has shut down, and then all connections are closed already.
    try? await on { $0.stop() }
  }

  private func on(_ step: @escaping @Sendable (MockPort) -> EventLoopFuture<Void>) async throws {
    let mock = mock
    do {
      try await mock.eventLoop.flatSubmit { mock.value.inTurn { step(mock.value) } }.get()
    } catch let failure as ListenFailure {
      throw failure
    } catch {
      throw ListenFailure(
        description: "the mock server '\(name)' on \(host):\(port): \(error)", code: (error as? IOError)?.errnoCode)
    }
  }

  /// Reserves a port number on a separate thread, since the look-up of a host name blocks.
  private static func reserve(_ host: String, _ port: Int) async throws -> PortReservation {
    if let address = try? SocketAddress(ipAddress: host, port: port) { return try PortReservation(address) }
    return try await NIOThreadPool.singleton.runIfActive {
      try PortReservation(SocketAddress.makeAddressResolvingHost(host, port: port))
    }
  }
}
