import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix

/// One exchange of a client. It makes a connection or takes a kept one, writes the request, and reads one response. It
/// runs on one event loop and ends exactly once.
final class ClientExchange {
  /// The parameters of an exchange.
  struct Order: Sendable {
    var bytes: [UInt8]
    var method: String
    var endpoint: WireEndpoint
    var limits: WireClient.Limits
    /// The TLS of the client; nil for plain HTTP.
    var tls: (any ClientTLS)?
    /// The IP address of the endpoint's host; nil if the system must look it up.
    var address: String?
    /// Called when the last byte has been sent; never called if sending fails.
    var written: (@Sendable () -> Void)?
    /// Whether the exchange may send its request a second time, over a new connection, if the server closes a kept
    /// connection before the first byte of its answer.
    var isRepeated = false
  }

  static let cancelled = WireFailure(.closed, "the exchange was cancelled")

  private let order: Order
  private let loop: any EventLoop
  private let kept: KeptConnections?
  private let outcome: (Result<ResponseRecord, WireFailure>) -> Void
  private var reader: HTTPMessageReader
  /// All connections that were begun. There may be several, since a host name may have several addresses.
  private var connections: [ClientConnection] = []
  private var connection: ClientConnection?
  private var timer: Scheduled<Void>?
  private var hasEnded = false
  private var isConnected = false
  /// Whether the exchange uses a kept connection.
  private var isOnKept = false
  /// The bytes as received, before decryption. They are collected until TLS decrypts the first byte of the answer.
  private var encrypted: [UInt8] = []

  /// `outcome` is called once, on the loop, with the result. If the connection is refused at once, it is called before
  /// ``start()`` returns.
  init(
    _ order: Order, _ loop: any EventLoop, kept: KeptConnections? = nil,
    outcome: @escaping (Result<ResponseRecord, WireFailure>) -> Void
  ) {
    self.order = order
    self.loop = loop
    // The server must show its certificate for each exchange, so connections with TLS are not kept.
    self.kept = order.tls == nil ? kept : nil
    self.outcome = outcome
    reader = HTTPMessageReader(
      .response(to: order.method), limits: HTTPMessageReader.Limits(body: order.limits.responseBytes))
  }

  func start() {
    if let limit = order.limits.exchange {
      let bound = NIOLoopBound(self, eventLoop: loop)
      timer = loop.scheduleTask(in: TimeAmount(limit)) { bound.value.timeOut(after: limit) }
    }
    if let connection = kept?.take(order.endpoint) {
      isOnKept = true
      connections.append(connection)
      return send(over: connection)
    }
    connect()
  }

  private func connect() {
    connecting().assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let channel): established(channel)
      case .failure(let error): end(.failure(ConnectFailure.failure(error, to: order.endpoint)))
      }
    }
  }

  private func connecting() -> EventLoopFuture<any Channel> {
    let (host, port) = (order.endpoint.host, order.endpoint.port)
    let address = try? SocketAddress(ipAddress: order.address ?? host, port: port)
    do {
      let socket = try address.flatMap { try LocalConnect.socket(to: $0) }
      let bootstrap = bootstrap(socket)
      if let socket { return bootstrap.withConnectedSocket(socket) }
      return address.map { bootstrap.connect(to: $0) } ?? bootstrap.connect(host: host, port: port)
    } catch {
      return loop.makeFailedFuture(error)
    }
  }

  private func bootstrap(_ socket: NIOBSDSocket.Handle?) -> ClientBootstrap {
    let bound = NIOLoopBound(self, eventLoop: loop)
    return ClientBootstrap(group: loop)
      .connectTimeout(order.limits.connect.map { TimeAmount($0) } ?? .hours(24 * 365))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.equip(channel, socket) }
      }
  }

  /// Adds the handlers to a connection before the connection is made, so that no byte of a fast server is missed.
  private func equip(_ channel: any Channel, _ socket: NIOBSDSocket.Handle?) throws {
    let connection = ClientConnection(channel, socket: socket)
    connections.append(connection)
    let pipeline = channel.pipeline.syncOperations
    if let tls = order.tls {
      try pipeline.addHandler(EncryptedTap(self))
      try pipeline.addHandler(tls.handler(for: order.endpoint.host))
    }
    try pipeline.addHandler(connection)
  }

  /// Reads the input that has arrived so far. Returns whether the exchange has ended. The input is read at most `looks`
  /// times, since a server can send input without end.
  func hasEndedByNow(looks: Int = 200) -> EventLoopFuture<Bool> {
    guard !hasEnded, looks > 0, connection?.hasUnread == true else { return loop.makeSucceededFuture(hasEnded) }
    let bound = NIOLoopBound(self, eventLoop: loop)
    // A task that is due at once would run before the loop reads again.
    return loop.flatScheduleTask(in: .microseconds(50)) {
      bound.value.hasEndedByNow(looks: looks - 1)
    }.futureResult
  }

  /// Closes the connection. The exchange ends with a failure like ``cancelled`` that contains the bytes that have
  /// arrived.
  func cancel() { fail(.closed, Self.cancelled.text) }

  private func established(_ channel: any Channel) {
    guard !hasEnded, let connection = connections.first(where: { $0.channel === channel }) else {
      return channel.close(promise: nil)
    }
    send(over: connection)
  }

  private func send(over connection: ClientConnection) {
    isConnected = true
    connection.exchange = self
    self.connection = connection
    let bytes = ByteBuffer(bytes: order.bytes)
    guard let written = order.written else { return connection.channel.writeAndFlush(bytes, promise: nil) }
    connection.channel.writeAndFlush(bytes).whenSuccess(written)
  }

  /// Begins the exchange again over a new connection, if a kept connection failed before the first byte of an answer.
  /// Returns whether the exchange begins again.
  private func beginsAnew() -> Bool {
    guard order.isRepeated, isOnKept, !reader.isInMessage, !hasEnded else { return false }
    isOnKept = false
    connection?.exchange = nil
    connection = nil
    for connection in connections { connection.channel.close(promise: nil) }
    connections = []
    connect()
    return true
  }

  private func timeOut(after limit: Duration) {
    fail(.timeout, isConnected ? "no whole response within \(limit)" : "no connection within \(limit)")
  }

  /// Ends the exchange with a failure that contains the bytes that have arrived.
  func fail(_ kind: WireFailure.Kind, _ text: String) {
    let received = reader.raw.isEmpty && kind == .tls ? encrypted[...] : reader.raw
    end(.failure(WireFailure(kind, text, received: Octets(received))))
  }

  private func end(_ result: Result<ResponseRecord, WireFailure>) {
    guard !hasEnded else { return }
    hasEnded = true
    timer?.cancel()
    connection?.exchange = nil
    for connection in connections { connection.channel.close(promise: nil) }
    connections = []
    outcome(result)
  }
}

/// Reactions to the events of the connection.
extension ClientExchange {
  fileprivate func encryptedArrived(_ bytes: ByteBufferView) {
    if !reader.isInMessage, encrypted.count < 64 << 10 { encrypted.append(contentsOf: bytes) }
  }

  func arrived(_ bytes: ByteBuffer) {
    guard !hasEnded else { return }
    bytes.withUnsafeReadableBytes { reader.append($0) }
    conclude(reader.next())
  }

  func inputEnded() {
    guard !hasEnded, !beginsAnew() else { return }
    guard reader.isInMessage else { return fail(.closed, "the server closed the connection without a response") }
    conclude(reader.finish())
  }

  func failed(_ error: any Error) {
    if let failure = order.tls?.failure(error, host: order.endpoint.host) {
      return fail(failure.kind, failure.kind == .tls ? plainReason ?? failure.text : failure.text)
    }
    switch error {
    case let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode):
      if beginsAnew() { return }
      fail(.reset, "the server reset the connection")
    default: fail(.closed, "the connection failed: \(error)")
    }
  }

  private static let endedEarly =
    "the server closed the connection during the TLS handshake: check the scheme and the port of the URL"

  /// An explanation why TLS with the server failed, from the bytes that the server sent. It is clearer than the error
  /// of the TLS library. Nil if the bytes do not show the cause.
  private var plainReason: String? {
    if encrypted.isEmpty { return Self.endedEarly }
    return encrypted.starts(with: "HTTP/".utf8) ? "the server speaks plain HTTP: use http" : nil
  }

  /// Returns the connection to the kept connections, for the next exchange.
  private func leaveOpen() {
    guard let kept, let connection, connection.channel.isActive else { return }
    connections.removeAll { $0 === connection }
    kept.keep(connection, to: order.endpoint)
  }

  private func conclude(_ output: HTTPMessageReader.Output) {
    switch output {
    case .needsMore, .expectsContinue: break
    case .message(let message):
      if message.keepsAlive, !reader.isInMessage { leaveOpen() }
      end(
        .success(
          ResponseRecord(connection: 0, line: message.line, headers: message.headers, body: Octets(message.body))))
    case .failed(let problem):
      switch problem.kind {
      case .malformed: fail(.malformed, problem.text)
      case .tooLarge: fail(.tooLarge, problem.text)
      case .truncated: fail(.closed, problem.text)
      case .tls: fail(.tls, problem.text)
      }
    }
  }
}

/// Passes bytes on to TLS, and also to the exchange. If the server does not speak TLS, the exchange recognises this
/// from the bytes.
private final class EncryptedTap: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let exchange: ClientExchange

  init(_ exchange: ClientExchange) { self.exchange = exchange }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    exchange.encryptedArrived(unwrapInboundIn(data).readableBytesView)
    context.fireChannelRead(data)
  }
}
