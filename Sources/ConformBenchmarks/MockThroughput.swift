import ConformanceWire
import HTTPValues
import NIOCore
import NIOPosix
import Synchronization
import Templates

/// The number of requests that a mock server answers and records in each second on kept-alive connections.
struct MockThroughput {
  static let figure = "mock, kept-alive requests"

  private static let body = Array(#"{"success":true,"eventId":"evt_0123456789abcd"}"#.utf8)
  private static let rounds = 5
  private static let requestsOfRound = 20_000

  private let serverGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let clientGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Measures the mock and the baseline in turn, so that other load on the machine affects both.
  func measurements() async throws -> [Measurement] {
    let journal = Journal()
    let mock = try await startMock(journal)
    let bare = try await BareServer(serverGroup, body: Self.body)
    let client = client(connections: 16)
    var rates: (mock: [Double], bare: [Double]) = ([], [])
    for round in 0...Self.rounds {
      let mockRate = try await client.rate(port: mock.port, requests: Self.requestsOfRound)
      journal.empty()
      let bareRate = try await client.rate(port: bare.port, requests: Self.requestsOfRound)
      // The first round only warms up.
      if round > 0 { rates = (rates.mock + [mockRate], rates.bare + [bareRate]) }
    }
    await mock.stop()
    try await bare.stop()
    try await shutDown()
    return [
      Measurement(
        Self.figure, rates.mock.median, "req/s",
        against: .init(name: "a bare NIO HTTP handler", value: rates.bare.median),
        target: .ratioAtLeast(0.8))
    ]
  }

  /// The time of one exchange with a bare server on a kept-alive connection, in milliseconds.
  static func bareExchange() async throws -> Double {
    let bench = MockThroughput()
    let server = try await BareServer(bench.serverGroup, body: body)
    let rate = try await bench.client(connections: 1).rate(port: server.port, requests: 2000)
    try await server.stop()
    try await bench.shutDown()
    return 1000 / rate
  }

  /// The time in seconds for this number of exchanges between bare servers and clients in the same process. On each
  /// core, one loop runs a server, and one loop runs the clients of that server.
  static func bareSpan(of exchanges: SuiteWork.Exchanges, loops: Int) async throws -> Double {
    let requests = exchanges.count / loops
    guard requests > 0 else { return 0 }
    return try await ContinuousClock().measure {
      try await withThrowingTaskGroup { group in
        for _ in 0..<loops {
          group.addTask {
            let bench = MockThroughput()
            let server = try await BareServer(bench.serverGroup, body: body)
            var client = bench.client(connections: 16)
            client.requestsOfConnection = exchanges.onConnection
            try await client.sendAll(port: server.port, requests: requests)
            try await server.stop()
            try await bench.shutDown()
          }
        }
        try await group.waitForAll()
      }
    }.seconds
  }

  /// The time for this number of exchanges between a bare server and client processes, in seconds. Each client has one
  /// connection at a time.
  static func bareSpan(of exchanges: SuiteWork.Exchanges, processes: Int, loops: Int) async throws -> Double {
    let requests = exchanges.count / processes
    guard requests > 0 else { return 0 }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
    let server = try await BareServer(group, body: body)
    let order = ClientProcess(port: server.port, requests: requests, onConnection: exchanges.onConnection)
    let span = try ContinuousClock().measure {
      let endings = try (0..<processes).map { _ in try order.start() }.map { $0.wait() }
      guard endings.allSatisfy({ $0.code == 0 }) else { throw BenchFailure("a client did not get all its answers") }
    }
    try await server.stop()
    try await group.shutdownGracefully()
    return span.seconds
  }

  /// Sends the requests that `order` describes. A client process calls this.
  static func perform(_ order: ClientProcess) async throws {
    let bench = MockThroughput()
    var client = bench.client(connections: 1)
    client.requestsOfConnection = order.onConnection
    try await client.sendAll(port: order.port, requests: order.requests)
    try await bench.shutDown()
  }

  private func startMock(_ journal: Journal) async throws -> MockServer {
    try await MockServer.start(
      name: "bench", clock: ScaledClock(),
      responder: { request in
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Self.body)
        return WireReply(response: response, to: request, at: Timestamp(milliseconds: 0))
      },
      journal: { journal.append($0) }, options: .init(group: serverGroup))
  }

  private func client(connections: Int) -> LoadClient {
    let head = """
      POST /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: conform-bench\r\nAccept: */*\r\n\
      Content-Type: application/json\r\nContent-Length: \(Self.body.count)\r\n\r\n
      """
    return LoadClient(
      loop: clientGroup.next(), connections: connections, request: Array(head.utf8) + Self.body, answer: Self.body)
  }

  private func shutDown() async throws {
    try await serverGroup.shutdownGracefully()
    try await clientGroup.shutdownGracefully()
  }
}

/// Stores the events of the mock, as a run of a case does.
private final class Journal: Sendable {
  private let events = Mutex<[WireEvent]>([])

  func append(_ event: WireEvent) { events.withLock { $0.append(event) } }

  func empty() { events.withLock { $0 = [] } }
}
