import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import NIOCore
import NIOPosix
import ServerRules
import Synchronization
import Templates

/// The number of requests that a mock server answers in each second. The mock follows rules such as those in a
/// `server.yaml`. The baseline is a mock with prepared answers.
struct DataServerThroughput {
  static let figure = "mock, answers by rules"

  private static let body = Array(#"{"success":true}"#.utf8)
  private static let rounds = 5
  private static let requestsOfRound = 10_000

  private let serverGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let clientGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Measures both mocks in turn, so that other load on the machine affects both.
  func measurements() async throws -> [Measurement] {
    let rules = Mutex(DataServer(try Self.program(), seed: 1))
    let ruled = try await start { request in
      rules.withLock { $0.respond(to: request.request, at: "main", now: 0) }
    }
    let fixed = try await start { _ in
      HTTPResponse(status: 200, headers: ["Content-Type": "application/json; charset=utf-8"], body: Self.body)
    }
    var rates: (ruled: [Double], fixed: [Double]) = ([], [])
    for round in 0...Self.rounds {
      let ruledRate = try await client.rate(port: ruled.port, requests: Self.requestsOfRound)
      let fixedRate = try await client.rate(port: fixed.port, requests: Self.requestsOfRound)
      // The first round only warms up.
      if round > 0 { rates = (rates.ruled + [ruledRate], rates.fixed + [fixedRate]) }
    }
    for server in [ruled, fixed] { await server.stop() }
    try await serverGroup.shutdownGracefully()
    try await clientGroup.shutdownGracefully()
    return [
      Measurement(
        Self.figure, rates.ruled.median, "req/s",
        against: .init(name: "the mock with one answer", value: rates.fixed.median),
        target: .ratioAtLeast(0.5))
    ]
  }

  private func start(_ respond: @escaping @Sendable (RequestRecord) -> HTTPResponse) async throws -> MockServer {
    try await MockServer.start(
      name: "bench", clock: ScaledClock(),
      responder: { WireReply(response: respond($0), to: $0, at: Timestamp(milliseconds: 0)) },
      journal: { _ in }, options: .init(group: serverGroup))
  }

  private var client: LoadClient {
    let body = #"{"name":"purchase","value":12.5,"id":"5e0b1f6a-3f0e-4c57-9d7e-0a4c6f1b2d01"}"#
    let head = """
      POST /v3/apps/app-1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: conform-bench\r\nAccept: */*\r\n\
      X-Token: token-1\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
    return LoadClient(loop: clientGroup.next(), connections: 16, request: Array(head.utf8), answer: Self.body)
  }

  /// The rules of a server that looks up the token of an event, refuses some events, and counts the accepted events of
  /// each contact.
  private static func program() throws -> ServerProgram {
    func template(_ text: String) throws -> Template { try Template(JSON(parsing: text)) }
    func entry(_ name: String, _ text: String) throws -> ServerDefinition.Entry { .init(name, try template(text)) }
    let event = Exchange(
      name: "event", text: "", service: "main",
      request: .init(
        method: "POST", path: try Template(text: "/v3/apps/${app}/events"),
        headers: ["X-Token": try Template(text: "${token}")],
        body: try template(#"{ "name": "${name:text}", "value": "${value:number}", "id": "${id:uuid}" }"#)),
      responses: [
        "taken": [.any: .init(status: 200, body: .json(try template(#"{ "success": "${isTaken:boolean}" }"#)))],
        "refused": [.any: .init(status: 401)],
      ])
    let contact = ServerName("state.contact")
    let definition = ServerDefinition(
      states: [
        .init(name: "contact", scope: [ServerName("token")].compactMap(\.self), entries: ["token-1": "anna"]),
        .init(name: "count", scope: [contact].compactMap(\.self), initial: 0),
      ],
      rules: [
        .init(
          exchanges: ["event"], change: .init(conditions: [try entry("state.contact.$expired", #""${:any}""#)]),
          answer: .init(response: "refused")),
        .init(
          exchanges: ["event"], change: .init(conditions: [try entry("state.contact", #"{ "$absent": true }"#)]),
          answer: .init(response: "refused")),
        .init(
          exchanges: ["event"], request: try template(#"{ "body": { "name": "forbidden" } }"#),
          answer: .init(response: "refused")),
        .init(
          exchanges: ["event"], change: .init(effects: [.add([try entry("count", "1")])]),
          answer: .init(response: "taken"), holes: [try entry("isTaken", "true")]),
      ])
    return ServerProgram(definition, exchanges: [event], models: [:], dialect: "any")
  }
}
