import ConformanceModel
import NIOCore
import NIOPosix

/// An HTTP/1.1 server on a port of its own that answers as it is told, on the wire byte for byte.
///
/// Everything of one server, its listener and all its connections, lives on one event loop. The responder and the
/// journal are called there, one call at a time: events reach the journal in one total order, and what the journal has
/// seen when a client gets an answer includes everything that led to it. Neither may block.
///
/// A server must be stopped; it holds sockets until then.
package final class MockServer: Sendable {
  /// What a server of its kind may do; few need others.
  package struct Options: Sendable {
    /// How large a request may be.
    package var limits: HTTPMessageReader.Limits
    /// How long a client that is still sending may take to read why it was turned away (RFC 9112 §9.6), in real time.
    package var farewell: Duration
    /// The loops of which the server gets one.
    package var group: any EventLoopGroup
    /// As whom it speaks TLS; nil for plain HTTP.
    package var tls: TLSIdentity?
    /// What clients together may take; nil where that is their own affair.
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

  /// Why a server does not listen.
  package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// The errno of the system call that failed, where there is one.
    package var code: Int32?

    package init(description: String, code: Int32? = nil) {
      self.description = description
      self.code = code
    }
  }

  package let name: String
  package let host: String
  /// The number, the same for the server's whole life.
  package let port: Int
  private let mock: NIOLoopBound<MockPort>

  private init(name: String, host: String, port: Int, mock: NIOLoopBound<MockPort>) {
    self.name = name
    self.host = host
    self.port = port
    self.mock = mock
  }

  /// Reserves a number and listens on it.
  ///
  /// - Parameters:
  ///   - name: which server it is, for its failures.
  ///   - host: an address or name of this machine; loopback unless the whole network shall reach it.
  ///   - port: 0 takes a free one.
  ///   - clock: what pauses of replies wait for.
  ///   - responder: decides what happens to a request, on the event loop, before the journal hears of it.
  ///   - journal: hears what happens, on the event loop.
  /// - Throws: ``ListenFailure``.
  package static func start(
    name: String, host: String = "127.0.0.1", port: Int = 0, clock: any WireClock,
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

  /// Listens again on the same number after ``refuse()``.
  ///
  /// - Throws: ``ListenFailure`` when the server has stopped or the system does not let it.
  package func listen() async throws {
    try await on { $0.listen() }
  }

  /// Stops listening: connections are refused, the number stays ours. Idle connections are closed; a request that is
  /// being answered gets its answer, and then its connection closes too.
  ///
  /// - Throws: ``ListenFailure`` when the server has stopped.
  package func refuse() async throws {
    try await on { $0.refuse() }
  }

  /// Shows a flawed certificate to every connection from now on, the right one without a flaw. Idle connections are
  /// closed, so that the next request is shown it too.
  package func show(_ flaw: Fault.CertificateFlaw?) async throws {
    try await on { $0.show(flaw) }
  }

  /// Returns when the requests of all clients that have left by now are released, whatever the loop has read so far.
  package func noticeDepartures() async {
    // A loop that has shut down holds nothing.
    try? await mock.eventLoop.flatSubmit { [mock] in mock.value.noticeDepartures() }.get()
  }

  /// The loop on which everything of the server lives.
  var eventLoop: any EventLoop { mock.eventLoop }

  /// Done when the journal has heard of all that clients had sent by now.
  package func readDry() -> EventLoopFuture<Void> { Self.readDry([self])[0] }

  /// Done when the journals of all these have: each of their loops is woken once.
  package static func readDry(_ servers: some Sequence<MockServer>) -> [EventLoopFuture<Void>] {
    Dictionary(grouping: servers) { ObjectIdentifier($0.eventLoop) }.values.map { servers in
      let loop = servers[0].eventLoop
      return loop.flatSubmit {
        MockPort.readDry(servers.map(\.mock.value), on: loop) ?? loop.makeSucceededVoidFuture()
      }
    }
  }

  /// The same on the loop of somebody who asks; nil when they have, which servers of this loop alone can say at once.
  package static func readDry(_ servers: [MockServer], on loop: any EventLoop) -> EventLoopFuture<Void>? {
    // Asked for each message of an adapter, and a key path of two parts is followed step by step.
    let ports = servers.map { $0.mock }
    if ports.allSatisfy({ $0.eventLoop === loop }) { return MockPort.readDry(ports.map { $0.value }, on: loop) }
    return EventLoopFuture.andAllComplete(readDry(servers), on: loop)
  }

  /// Closes everything and gives the number back; whatever still waits ends with its connection. Can be called twice.
  package func stop() async {
    // Only a loop that has shut down can fail here, and then nothing is open any more.
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

  /// Looking a name up blocks, so it happens on a thread for that.
  private static func reserve(_ host: String, _ port: Int) async throws -> PortReservation {
    if let address = try? SocketAddress(ipAddress: host, port: port) { return try PortReservation(address) }
    return try await NIOThreadPool.singleton.runIfActive {
      try PortReservation(SocketAddress.makeAddressResolvingHost(host, port: port))
    }
  }
}
