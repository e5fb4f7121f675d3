import ConformanceTranscript
import Testing

@testable import ConformanceWire

/// Exchanges that follow each other over one connection.
@Suite struct PersistentConnectionTests {
  private let request = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)

  private func connections(_ stage: Stage) -> [Int] {
    stage.events.compactMap { if case .request(let record) = $0 { record.connection } else { nil } }
  }

  @Test func exchangesFollowEachOther() async throws {
    let stage = try await Stage { _ in WireReply(response: Stage.greeting) }
    let endpoint = WireEndpoint(host: "127.0.0.1", port: stage.port)
    let (one, other) = (WireClient().persistentConnection(), WireClient().persistentConnection())
    for connection in [one, one, other, one] {
      #expect(try await WireClient().send(request, to: endpoint, over: connection).body.text == "hello")
    }
    #expect(connections(stage) == [1, 1, 2, 1])
    one.close()
    await stage.wait(for: "closed 1 subject")
    await stage.server.stop()
  }

  /// A server may close what it kept, also while the next request is on its way.
  @Test func whatWasClosedIsAskedForOverANewOne() async throws {
    let stage = try await Stage { record in
      // The second request of a connection is never answered.
      record.connection == 1 && record.request.path == "/second"
        ? WireReply([.close]) : WireReply(response: Stage.greeting)
    }
    let endpoint = WireEndpoint(host: "127.0.0.1", port: stage.port)
    let connection = WireClient().persistentConnection()
    _ = try await WireClient().send(request, to: endpoint, over: connection)
    let second = Array("GET /second HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    #expect(try await WireClient().send(second, to: endpoint, over: connection).status == 200)
    #expect(connections(stage) == [1, 1, 2])
    await stage.server.stop()
  }

  /// One that is new and is closed is the server's answer.
  @Test func whatIsClosedAtOnceIsAFailure() async throws {
    let stage = try await Stage { _ in WireReply([.close]) }
    let endpoint = WireEndpoint(host: "127.0.0.1", port: stage.port)
    let connection = WireClient().persistentConnection()
    await #expect(throws: WireFailure.self) {
      try await WireClient().send(request, to: endpoint, over: connection)
    }
    #expect(connections(stage) == [1])
    await stage.server.stop()
  }
}
