import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix

/// Sends exactly the given bytes to a server and returns exactly its answer. Each exchange has its own connection,
/// unless the caller provides a connection or a store of kept connections.
package struct WireClient: Sendable {
  /// The limits of an exchange in time and size.
  package struct Limits: Hashable, Sendable {
    /// The time limit for connecting; nil for the limit that the operating system sets.
    package var connect: Duration?
    /// The time limit for a whole exchange, from the beginning of connecting to the last byte of the response; nil for
    /// no limit.
    package var exchange: Duration?
    /// The maximum size of the body of a response on the wire, in bytes.
    package var responseBytes: Int

    package init(connect: Duration? = .seconds(10), exchange: Duration? = nil, responseBytes: Int = 16 << 20) {
      self.connect = connect
      self.exchange = exchange
      self.responseBytes = responseBytes
    }
  }

  /// An exchange that was begun on an event loop.
  package struct Exchange {
    private let end: () -> Void

    fileprivate init(_ end: @escaping () -> Void) { self.end = end }

    /// Cancels the exchange. Must be called on its loop.
    package func cancel() { end() }
  }

  private let group: any EventLoopGroup
  private let limits: Limits
  private let tls: (any ClientTLS)?
  private let hosts: [String: String]

  /// `tls` is used only for `https` endpoints; if it is nil, exchanges with such endpoints fail. `hosts` maps host
  /// names to IP addresses. The client does not look up these names in the system.
  package init(
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, limits: Limits = .init(),
    tls: (any ClientTLS)? = nil, hosts: [String: String] = [:]
  ) {
    self.group = group
    self.limits = limits
    self.tls = tls
    self.hosts = hosts
  }

  /// A client with other limits and the same TLS settings.
  package func limited(to limits: Limits) -> WireClient {
    WireClient(group: group, limits: limits, tls: tls, hosts: hosts)
  }

  /// Sends a request. Adds Host, Content-Length and `Connection: close` if the request does not have them.
  ///
  /// The record's `connection` is 0; the recorder of the transcript sets the number. `written` is called when the last
  /// byte of the request has been sent.
  package func send(
    _ request: HTTPRequest, to endpoint: WireEndpoint, written: (@Sendable () -> Void)? = nil
  ) async throws(WireFailure) -> ResponseRecord {
    let bytes = HTTPMessageWriter.bytes(of: request, to: endpoint.authority)
    return try await exchange(bytes, method: request.method, with: endpoint, written: written)
  }

  /// Sends bytes as they are and reads one final response to them.
  ///
  /// A failure contains all bytes that had arrived by then. If the task is cancelled, the client closes the connection
  /// and throws a failure of the kind `closed`. If `connection` is given, the bytes go over that connection as long as
  /// the server keeps it open. If the server closes it before the first byte of its answer, the client sends the
  /// request again over a new connection. `watch` observes the exchange.
  package func send(
    _ bytes: [UInt8], to endpoint: WireEndpoint, over connection: PersistentConnection? = nil,
    watchedBy watch: ExchangeWatch? = nil
  ) async throws(WireFailure) -> ResponseRecord {
    try await exchange(bytes, method: Self.method(of: bytes), with: endpoint, over: connection, watchedBy: watch)
  }

  /// A connection for several exchanges, one after another.
  package func persistentConnection() -> PersistentConnection { PersistentConnection(on: group.next()) }

  /// Begins to send bytes as they are, for a caller that must stay on its event loop.
  ///
  /// Must be called on the loop. `completion` runs once on the loop, and never before this function returns. Cancelling
  /// closes the connection at once; the exchange then ends with a failure of the kind `closed`. With `kept`, an
  /// exchange without TLS takes its connection from this store if the store has one, and returns it if the answer
  /// allows further exchanges.
  package func start(
    _ bytes: [UInt8], to endpoint: WireEndpoint, on loop: any EventLoop, keeping kept: KeptConnections? = nil,
    completion: @escaping (Result<ResponseRecord, WireFailure>) -> Void
  ) -> Exchange {
    let order: ClientExchange.Order
    do throws(WireFailure) { order = try self.order(bytes, Self.method(of: bytes), endpoint) } catch {
      loop.assumeIsolated().execute { completion(.failure(error)) }
      return Exchange {}
    }
    let exchange = ClientExchange(order, loop, kept: kept) { result in
      loop.assumeIsolated().execute { completion(result) }
    }
    exchange.start()
    return Exchange { exchange.cancel() }
  }

  private func exchange(
    _ bytes: [UInt8], method: String, with endpoint: WireEndpoint, written: (@Sendable () -> Void)? = nil,
    over connection: PersistentConnection? = nil, watchedBy watch: ExchangeWatch? = nil
  ) async throws(WireFailure) -> ResponseRecord {
    // The handler below may be too late for a task that is cancelled already: the server could have answered before the
    // handler is called.
    guard !Task.isCancelled else { throw ClientExchange.cancelled }
    var order = try order(bytes, method, endpoint, written: written)
    order.isRepeated = connection != nil
    let loop = connection?.loop ?? group.next()
    let outcome = loop.makePromise(of: Result<ResponseRecord, WireFailure>.self)
    let exchange = loop.submit { [order] in
      let exchange = ClientExchange(order, loop, kept: connection?.kept) { outcome.succeed($0) }
      let bound = NIOLoopBound(exchange, eventLoop: loop)
      watch?.watch(bound)
      exchange.start()
      return bound
    }
    exchange.whenFailure { outcome.fail($0) }
    let result = try? await withTaskCancellationHandler {
      try await outcome.futureResult.get()
    } onCancel: {
      exchange.whenSuccess { $0.value.cancel() }
    }
    guard let result else { throw WireFailure(.unreachable, "the event loop of the client has shut down") }
    return try result.get()
  }

  private func order(
    _ bytes: [UInt8], _ method: String, _ endpoint: WireEndpoint, written: (@Sendable () -> Void)? = nil
  ) throws(WireFailure) -> ClientExchange.Order {
    var order = ClientExchange.Order(bytes: bytes, method: method, endpoint: endpoint, limits: limits, written: written)
    order.address = hosts[endpoint.host]
    if endpoint.isTLS {
      guard let tls else { throw WireFailure(.tls, "this client does not support TLS: use http") }
      try tls.prepare()
      order.tls = tls
    }
    return order
  }

  private static func method(of bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }.prefix(16), as: UTF8.self)
  }
}
