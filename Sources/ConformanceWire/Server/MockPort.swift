import ConformanceModel
import ConformanceTranscript
import Glibc
import NIOCore
import NIOPosix

/// The port of a mock server: its state and its connections, confined to one event loop.
final class MockPort {
  private enum State {
    case refusing
    case listening(any Channel, NIOBSDSocket.Handle)
    case stopped
  }

  let loop: any EventLoop
  let options: MockServer.Options
  let clock: any LogicalClock
  let responder: (RequestRecord) -> WireReply
  let journal: (WireEvent) -> Void
  private let reservation: PortReservation
  private var state = State.refusing
  private var connections: [Int: MockConnection] = [:]
  private var lastNumber = 0
  /// The number of bytes of requests that all connections together keep.
  private var keptBytes = 0
  /// The flaw of the certificate that new connections get; nil for the valid certificate.
  private var flaw: Fault.CertificateFlaw?
  /// Completes when the last requested change of state is done.
  private var lastStep: EventLoopFuture<Void>

  init(
    _ loop: any EventLoop, _ reservation: PortReservation, _ options: MockServer.Options, clock: any LogicalClock,
    responder: @escaping (RequestRecord) -> WireReply, journal: @escaping (WireEvent) -> Void
  ) {
    self.loop = loop
    self.reservation = reservation
    self.options = options
    self.clock = clock
    self.responder = responder
    self.journal = journal
    lastStep = loop.makeSucceededVoidFuture()
  }

  /// Whether a connection may stay open for another request after an answer.
  var keepsConnections: Bool { if case .listening = state { true } else { false } }

  /// Runs a change of state after all earlier changes have completed, so that `refuse` and `listen` never overlap.
  func inTurn(_ step: @escaping () -> EventLoopFuture<Void>) -> EventLoopFuture<Void> {
    let done = loop.makePromise(of: Void.self)
    lastStep.assumeIsolated().whenComplete { _ in step().cascade(to: done) }
    lastStep = done.futureResult
    return done.futureResult
  }

  func listen() -> EventLoopFuture<Void> {
    switch state {
    case .listening: return loop.makeSucceededVoidFuture()
    case .stopped: return loop.makeFailedFuture(MockServer.ListenFailure(description: "the mock server has stopped"))
    case .refusing: break
    }
    do {
      let socket = try reservation.makeListeningSocket()
      return bootstrap().withBoundSocket(socket).assumeIsolated().map { [self] channel in
        // On a given socket, NIO begins to listen with a backlog of 128 before it reads any option.
        _ = Glibc.listen(socket, Self.backlog)
        state = .listening(channel, socket)
      }.nonisolated()
    } catch {
      return loop.makeFailedFuture(error)
    }
  }

  func refuse() -> EventLoopFuture<Void> {
    switch state {
    case .refusing: return loop.makeSucceededVoidFuture()
    case .stopped: return loop.makeFailedFuture(MockServer.ListenFailure(description: "the mock server has stopped"))
    case .listening(let listener, _):
      state = .refusing
      return close([listener] + leave(connections.values.filter(\.isIdle)))
    }
  }

  func show(_ flaw: Fault.CertificateFlaw?) -> EventLoopFuture<Void> {
    guard flaw != self.flaw else { return loop.makeSucceededVoidFuture() }
    self.flaw = flaw
    return close(leave(connections.values.filter(\.isIdle)))
  }

  func stop() -> EventLoopFuture<Void> {
    var open: [any Channel] = []
    if case .listening(let listener, _) = state { open.append(listener) }
    state = .stopped
    return close(open + leave(connections.values)).assumeIsolated().map { [reservation] in
      reservation.release()
    }.nonisolated()
  }

  /// Closes every connection whose reply waits and whose client has left. Completes once these connections are closed.
  func noticeDepartures() -> EventLoopFuture<Void> {
    let left = inOrder(connections.values).filter { $0.noticeDeparture() }
    return EventLoopFuture.andAllComplete(left.map(\.channel.closeFuture), on: loop)
  }

  /// Completes once the ports of one loop have no unread input, or after they were checked `looks` times, since a
  /// client can send input without end. Returns nil if they have no unread input now.
  static func readDry(
    _ ports: [MockPort], on loop: any EventLoop, looks: Int = 200
  ) -> EventLoopFuture<Void>? {
    guard looks > 0, ports.contains(where: \.hasUnread) else { return nil }
    let bound = NIOLoopBound(ports, eventLoop: loop)
    // A task that is due at once would run before the loop reads again.
    return loop.flatScheduleTask(in: .microseconds(50)) {
      readDry(bound.value, on: loop, looks: looks - 1) ?? loop.makeSucceededVoidFuture()
    }.futureResult
  }

  private var hasUnread: Bool {
    if case .listening(_, let socket) = state, socket.isReady(for: Int16(POLLIN)) { return true }
    return connections.values.contains(where: \.hasUnread)
  }

  /// Asks connections to close, in the order in which they were accepted. Returns their channels.
  private func leave(_ connections: some Sequence<MockConnection>) -> [any Channel] {
    inOrder(connections).map { connection in
      connection.leave()
      return connection.channel
    }
  }

  private func inOrder(_ connections: some Sequence<MockConnection>) -> [MockConnection] {
    connections.sorted { $0.number < $1.number }
  }

  /// Closes channels. Completes once all are closed.
  private func close(_ channels: [any Channel]) -> EventLoopFuture<Void> {
    for channel in channels { channel.close(promise: nil) }
    return EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: loop)
  }

  /// The largest number of connections that may wait until the mock accepts them; the system may have a lower limit. If
  /// the backlog overflows, Linux resets the new connection, and the mock seems to refuse it. Or Linux drops the first
  /// packet of the client. Then the client tries again after a second, and the mock seems to be slow.
  private static let backlog: CInt = 4096

  private func bootstrap() -> ServerBootstrap {
    let bound = NIOLoopBound(self, eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(AcceptFailures())
          // A connection that cannot be accepted now waits in the backlog, so that the loop does not spin.
          try pipeline.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { _ in .milliseconds(50) })
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
      }
  }

  private func accept(_ channel: any Channel) throws {
    guard keepsConnections, connections.count < options.bounds?.connections ?? .max else {
      throw ChannelError.ioOnClosedChannel
    }
    // An adapter process that inherits a connection would keep it open.
    let socket = channel.socket
    if let socket { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
    lastNumber += 1
    if let identity = options.tls { try speak(identity, channel, number: lastNumber) }
    let connection = MockConnection(self, number: lastNumber, channel, socket)
    try channel.pipeline.syncOperations.addHandler(connection)
    connections[lastNumber] = connection
  }

  private func speak(_ identity: TLSIdentity, _ channel: any Channel, number: Int) throws {
    let flaw = flaw
    let handlers = try identity.tls.handlers(for: identity.name, flaw: flaw) { [journal] outcome, text in
      // A client that received no certificate has not noticed the flaw.
      if let flaw, outcome != .failed { journal(.fault(connection: number, kind: Fault.Kind.tls(flaw).word)) }
      journal(.handshake(TLSHandshake(connection: number, outcome: outcome, text: text)))
    }
    for handler in handlers { try channel.pipeline.syncOperations.addHandler(handler) }
  }

  func removed(_ connection: MockConnection) { connections[connection.number] = nil }

  /// Adds to the number of bytes of requests that the connections keep; `more` may be negative. Returns whether the sum
  /// is within the bounds.
  func keep(_ more: Int) -> Bool {
    keptBytes += more
    return keptBytes <= options.bounds?.bytes ?? .max
  }
}

/// Notes the reason why a connection could not be accepted.
private final class AcceptFailures: ChannelInboundHandler {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    Shortages.shared.note(error)
    context.fireErrorCaught(error)
  }
}
