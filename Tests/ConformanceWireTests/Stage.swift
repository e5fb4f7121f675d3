import ConformanceModel
import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix
import Synchronization
import Templates

@testable import ConformanceWire

/// A mock server with its journal and a clock that the test moves.
struct Stage {
  let server: MockServer
  let clock = VirtualClock()
  let journal = Inbox<[WireEvent]>([])

  var port: Int { server.port }
  var events: [WireEvent] { journal.value }

  init(
    options: MockServer.Options = .init(farewell: .seconds(600)),
    responder: @escaping @Sendable (RequestRecord) -> WireReply = { _ in Stage.reply }
  ) async throws {
    server = try await MockServer.start(
      name: "main", clock: clock, responder: responder,
      journal: { [journal] event in journal.change { $0.append(event) } },
      options: options)
  }

  /// A stage that applies a fault to each of its answers.
  static func with(_ fault: Fault.Kind) async throws -> Stage {
    try await Stage { request in reply(bentBy: fault, to: request.method) }
  }

  /// Runs the body with a stage that has an event loop of its own, for a test that keeps the loop busy. On a shared
  /// loop it would block other tests and the threads that it needs itself.
  static func withOwnLoop(
    responder: @escaping @Sendable (RequestRecord) -> WireReply = { _ in Stage.reply },
    _ body: (Stage) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let stage = try await Stage(options: .init(group: group), responder: responder)
    try await body(stage)
    await stage.server.stop()
    try await group.shutdownGracefully()
  }

  /// The greeting, and then the end of the connection.
  static let reply = reply(bentBy: nil)

  static func reply(bentBy fault: Fault.Kind?, to method: String = "GET") -> WireReply {
    WireReply(response: greeting, fault: fault, method: method, keepsAlive: false)
  }

  static let greeting = HTTPResponse(status: 200, headers: ["X-B": "1", "x-a": "2"], body: Array("hello".utf8))
  static let request = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n"
  /// The bytes of `greeting` on the wire.
  static let greetingBytes =
    "HTTP/1.1 200 OK\r\nX-B: 1\r\nx-a: 2\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"

  /// The journal as words, such as `request 1` and `closed 1 kit`, when this number of connections has ended.
  func words(closed count: Int = 1) async -> [String] {
    await journal.wait { $0.filter(\.isClosed).count == count }.map(\.word)
  }

  /// The journal as words when the event has come.
  @discardableResult
  func wait(for word: String) async -> [String] {
    await journal.wait { $0.contains { $0.word == word } }.map(\.word)
  }
}

extension WireEvent {
  var isClosed: Bool { if case .closed = self { true } else { false } }

  var word: String {
    switch self {
    case .connected(let connection): "connected \(connection)"
    case .request(let record): "request \(record.connection)"
    case .malformed(let connection, _, _): "malformed \(connection)"
    case .fault(let connection, let kind): "fault \(connection) \(kind)"
    case .response(let record): "response \(record.connection) \(record.status)"
    case .held(let connection): "held \(connection)"
    case .released(let connection): "released \(connection)"
    case .concluded(let connection): "concluded \(connection)"
    case .handshake(let handshake): "handshake \(handshake.connection) \(handshake.outcome)"
    case .kept(let connection): "kept \(connection)"
    case .closed(let connection, let closer, _): "closed \(connection) \(closer)"
    }
  }
}

extension VirtualClock {
  func advance(by span: LogicalTime) async { await advance(to: now + span) }
}
