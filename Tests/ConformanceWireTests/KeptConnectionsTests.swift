import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix
import Testing

@testable import ConformanceWire

/// Connections that stay after an exchange: who takes them, and when none is left to take.
@Suite struct KeptConnectionsTests {
  /// A client that lives on one loop and keeps what it may.
  private struct Client {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let kept: NIOLoopBound<KeptConnections>

    init() async throws {
      kept = try await loop.submit { [loop] in NIOLoopBound(KeptConnections(), eventLoop: loop) }.get()
    }

    func ask(_ port: Int) async throws -> Result<ResponseRecord, WireFailure> {
      let ended = loop.makePromise(of: Result<ResponseRecord, WireFailure>.self)
      let target = WireEndpoint(host: "127.0.0.1", port: port)
      loop.execute { [loop, kept] in
        let bytes = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        _ = WireClient(group: loop).start(bytes, to: target, on: loop, keeping: kept.value) { ended.succeed($0) }
      }
      return try await ended.futureResult.get()
    }

    func close() async throws { try await loop.submit { [kept] in kept.value.close() }.get() }
  }

  private func connections(_ stage: Stage) -> [Int] {
    stage.events.compactMap { if case .request(let record) = $0 { record.connection } else { nil } }
  }

  @Test func theNextExchangeTakesIt() async throws {
    let stage = try await Stage { _ in WireReply(response: Stage.greeting) }
    let client = try await Client()
    for _ in 1...3 {
      let response = try await client.ask(stage.port).get()
      #expect(response.body.text == "hello")
    }
    #expect(connections(stage) == [1, 1, 1])
    try await client.close()
    #expect(await stage.words().last == "closed 1 subject")
    await stage.server.stop()
  }

  @Test func noTwoExchangesShareOne() async throws {
    let stage = try await Stage { _ in WireReply(response: Stage.greeting, fault: .delay(.seconds(1))) }
    let client = try await Client()
    async let first = client.ask(stage.port)
    async let second = client.ask(stage.port)
    await stage.wait(for: "held 1")
    await stage.wait(for: "held 2")
    await stage.clock.advance(by: .seconds(1))
    for result in try await [first, second] { _ = try result.get() }
    #expect(connections(stage).sorted() == [1, 2])
    await stage.server.stop()
  }

  /// Answers behind which a connection ends, for all that the client can know.
  @Test(arguments: [
    ("said so", WireReply(response: Stage.greeting, keepsAlive: false)),
    ("a field says so", WireReply(response: HTTPResponse(status: 200, headers: ["Connection": "Close"]))),
    ("no length", WireReply([.bytes(Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8)), .close])),
    ("more than its length", WireReply([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhello".utf8))])),
    ("HTTP/1.0", WireReply([.bytes(Array("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))])),
    (
      "another coding", WireReply(response: HTTPResponse(status: 200, headers: ["Transfer-Encoding": "gzip, chunked"]))
    ),
  ])
  func isNotKeptBehind(_ name: String, _ reply: WireReply) async throws {
    let stage = try await Stage { _ in reply }
    let client = try await Client()
    for _ in 1...2 { _ = try await client.ask(stage.port) }
    #expect(connections(stage) == [1, 2], "\(name)")
    await stage.server.stop()
  }

  /// Otherwise the request would be lost, and the client would not know whether the server had acted on it.
  @Test func isNotTakenOnceTheServerHasClosedIt() async throws {
    let stage = try await Stage { _ in WireReply(response: Stage.greeting) }
    let client = try await Client()
    _ = try await client.ask(stage.port)
    try await stage.server.refuse()
    let refused = try await client.ask(stage.port)
    #expect(throws: WireFailure.self) { try refused.get() }
    try await stage.server.listen()
    _ = try await client.ask(stage.port).get()
    #expect(connections(stage) == [1, 2])
    await stage.server.stop()
  }

  /// Bytes that come between two exchanges answer neither.
  @Test func isNotTakenWithBytesThatNobodyAskedFor() async throws {
    let late = try await Stage { _ in
      let whole = WireReply(response: Stage.greeting)
      return WireReply(whole.actions + [.pause(.seconds(1)), .bytes(Array("HTTP/1.1 500 Late\r\n\r\n".utf8)), .hold])
    }
    let client = try await Client()
    let first = try await client.ask(late.port).get()
    #expect(first.status == 200)
    await late.clock.advance(by: .seconds(1))
    await late.wait(for: "closed 1 subject")
    let second = try await client.ask(late.port).get()
    #expect(second.status == 200)
    await late.server.stop()
  }
}
