import ConformanceModel
import HTTPValues
import Testing

@testable import ConformanceWire

/// Each fault as the bytes that a client receives, and as the events of the journal.
@Suite struct MockFaultTests {
  struct Seen: Sendable, CustomTestStringConvertible {
    var fault: Fault.Kind?
    var bytes: String
    var ending = RawClient.Ending.fin
    var journal: [String]
    var testDescription: String { fault?.word ?? "none" }
  }

  @Test(arguments: [
    Seen(fault: nil, bytes: Stage.greetingBytes, journal: ["response 1 200"]),
    Seen(fault: .drop(serverActs: false), bytes: "", journal: ["fault 1 drop"]),
    // The client sees the same whether or not the server acted before.
    Seen(fault: .drop(serverActs: true), bytes: "", journal: ["fault 1 drop"]),
    Seen(fault: .reset(afterBytes: 0), bytes: "", ending: .reset, journal: ["fault 1 reset"]),
    Seen(
      fault: .reset(afterBytes: 9), bytes: "HTTP/1.1 ", ending: .reset, journal: ["fault 1 reset", "response 1 200"]),
    Seen(
      fault: .reset(afterBytes: 75), bytes: String(Stage.greetingBytes.dropLast(3)), ending: .reset,
      journal: ["fault 1 reset", "response 1 200"]),
    Seen(
      fault: .truncate(bytes: 2), bytes: String(Stage.greetingBytes.dropLast(3)),
      journal: ["fault 1 truncate", "response 1 200"]),
    Seen(
      fault: .wrongLength(by: 3), bytes: Stage.greetingBytes.replacing("Length: 5", with: "Length: 8"),
      journal: ["fault 1 wrong-length", "response 1 200"]),
    Seen(
      fault: .wrongLength(by: -9), bytes: Stage.greetingBytes.replacing("Length: 5", with: "Length: 0"),
      journal: ["fault 1 wrong-length", "response 1 200"]),
    Seen(
      fault: .badChunk,
      bytes: "HTTP/1.1 200 OK\r\nX-B: 1\r\nx-a: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        + "ZZ\r\nhello\r\n0\r\n\r\n", journal: ["fault 1 bad-chunk", "response 1 200"]),
    Seen(
      fault: .status(503),
      bytes: "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\n"
        + "Content-Length: 31\r\nConnection: close\r\n\r\n{\"error\":\"Service Unavailable\"}",
      journal: ["fault 1 status", "response 1 503"]),
    Seen(
      fault: .raw(Octets("%PDF-1.4 \u{0}".utf8)), bytes: "%PDF-1.4 \u{0}", journal: ["fault 1 raw", "response 1 0"]),
    Seen(fault: .raw(Octets([])), bytes: "", journal: ["fault 1 raw"]),
    Seen(
      fault: .raw(Octets("HTTP/1.0 299 X\r\n\r\n{".utf8)), bytes: "HTTP/1.0 299 X\r\n\r\n{",
      journal: ["fault 1 raw", "response 1 299"]),
    Seen(
      fault: .redirect(status: 307, location: "http://elsewhere/x"),
      bytes: "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://elsewhere/x\r\nContent-Length: 0\r\n"
        + "Connection: close\r\n\r\n", journal: ["fault 1 redirect", "response 1 307"]),
  ])
  func playsAtOnce(_ seen: Seen) async throws {
    let stage = try await Stage { request in
      Stage.reply(bentBy: seen.fault, to: request.method)
    }
    let state = try await RawClient.exchange(Stage.request, with: stage.port)
    #expect(state.text == seen.bytes)
    #expect(state.ending == seen.ending)
    let words = await stage.words()
    #expect(words == ["connected 1", "request 1"] + seen.journal + ["concluded 1", "closed 1 kit"])
    await stage.server.stop()
  }

  @Test func recordsWhatWentOut() async throws {
    for (fault, body) in [(Fault.Kind.truncate(bytes: 2), "he"), (.reset(afterBytes: 76), "hel"), (.badChunk, "hello")]
    {
      let reply = Stage.reply(bentBy: fault)
      #expect(reply.response?.body.text == body, "\(fault)")
    }
    let raw = WireReply(response: Stage.greeting, fault: .raw(Octets("HTTP/1.1 200 OK\r\n\r\n{".utf8)))
    #expect(raw.response?.line == "HTTP/1.1 200 OK" && raw.response?.body.text == "{")
  }

  @Test func delaysTheRightAnswer() async throws {
    let stage = try await Stage.with(.delay(.seconds(3)))
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    await stage.wait(for: "held 1")
    await stage.clock.advance(by: .milliseconds(2999))
    #expect(!stage.events.map(\.word).contains("released 1"))
    await stage.clock.advance(by: .milliseconds(1))
    #expect(await client.end().text == Stage.greetingBytes)
    #expect(
      await stage.words() == [
        "connected 1", "request 1", "fault 1 delay", "held 1", "released 1", "response 1 200", "concluded 1",
        "closed 1 kit",
      ])
    await stage.server.stop()
  }

  @Test func dripsTheRightAnswer() async throws {
    let stage = try await Stage.with(.drip(bytes: 30, every: .seconds(1)))
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    for count in [30, 60] {
      let state = await client.received { $0.bytes.count >= count }
      #expect(state.bytes == Array(Stage.greetingBytes.utf8.prefix(count)))
      _ = await stage.journal.wait { $0.filter { $0 == .held(connection: 1) }.count == count / 30 }
      await stage.clock.advance(by: .seconds(1))
    }
    #expect(await client.end().text == Stage.greetingBytes)
    let words = await stage.words()
    #expect(words.filter { $0 == "held 1" }.count == 2)
    #expect(words.filter { $0 == "released 1" }.count == 2)
    #expect(words.filter { $0 == "response 1 200" }.count == 1)
    await stage.server.stop()
  }

  @Test func hangsUntilTheClientLeaves() async throws {
    let stage = try await Stage.with(.hang)
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    await stage.wait(for: "held 1")
    await stage.clock.advance(by: .seconds(1e9))
    #expect(stage.events.last?.word == "held 1")
    try await client.close()
    #expect(
      await stage.words() == [
        "connected 1", "request 1", "fault 1 hang", "held 1", "released 1", "concluded 1", "closed 1 subject",
      ])
    await stage.server.stop()
  }

  @Test func stallsInTheBodyUntilTheClientLeaves() async throws {
    let stage = try await Stage.with(.stall(afterBytes: 2))
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    await stage.wait(for: "held 1")
    await stage.clock.advance(by: .seconds(1e9))
    #expect(await client.received("he").text == Stage.greetingBytes.dropLast(3))
    try await client.close()
    #expect(
      await stage.words() == [
        "connected 1", "request 1", "fault 1 stall", "response 1 200", "held 1", "released 1", "concluded 1",
        "closed 1 subject",
      ])
    await stage.server.stop()
  }

  /// A body that is whole by then leaves nothing to wait for.
  @Test func stallsNoAnswerThatIsWhole() async throws {
    let stage = try await Stage.with(.stall(afterBytes: 5))
    #expect(try await RawClient.exchange(Stage.request, with: stage.port).text == Stage.greetingBytes)
    await stage.server.stop()
  }

  @Test func answersHEADWithoutABody() async throws {
    let stage = try await Stage { request in Stage.reply(bentBy: nil, to: request.method) }
    let state = try await RawClient.exchange("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", with: stage.port)
    #expect(state.text == Stage.greetingBytes.dropLast(5))
    await stage.server.stop()
  }

  @Test(arguments: [204, 304]) func addsNoLengthToAnswersWithoutABody(_ status: Int) async throws {
    let reply = WireReply(response: HTTPResponse(status: status, body: [65]))
    let reason = status == 204 ? "No Content" : "Not Modified"
    #expect(reply.actions == [.bytes(Array("HTTP/1.1 \(status) \(reason)\r\n\r\n".utf8))])
  }

  @Test func sendsChunksWhenTheResponseSaysSo() async throws {
    let response = HTTPResponse(status: 200, headers: ["Transfer-Encoding": "chunked"], body: Array("hello".utf8))
    let reply = WireReply(response: response)
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    #expect(reply.actions == [.bytes(Array(text.utf8))])
    #expect(reply.response?.body.text == "hello")
  }
}
