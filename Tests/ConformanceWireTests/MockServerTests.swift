import ConformanceModel
import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix
import Testing

@testable import ConformanceWire

@Suite struct MockServerTests {
  private static let echo: @Sendable (RequestRecord) -> WireReply = { request in
    let body = Array("\(request.target) \(request.body.text)".utf8)
    return WireReply(response: HTTPResponse(status: 200, body: body), method: request.method)
  }

  private static func answer(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func keepsConnectionsAliveUntilToldOtherwise() async throws {
    let stage = try await Stage(responder: Self.echo)
    let client = try await RawClient.connect(to: stage.port)
    try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
    _ = await client.received("/1 ")
    try await client.send("POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
    let state = await client.end()
    #expect(state.text == Self.answer("/1 ") + Self.answer("/2 hi"))
    #expect(state.ending == .fin)
    let one = ["request 1", "response 1 200", "concluded 1"]
    #expect(await stage.words() == ["connected 1"] + one + ["kept 1"] + one + ["closed 1 kit"])
    await stage.server.stop()
  }

  /// An idle connection may end at any time. A connection on which a request has begun may not.
  @Test(arguments: ["", "POST /2 HTTP/1.1\r\nHost: h\r\nContent-"])
  func tellsWhetherAConnectionEndedIdle(_ begun: String) async throws {
    let stage = try await Stage(responder: Self.echo)
    let client = try await RawClient.connect(to: stage.port)
    try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
    await stage.wait(for: "kept 1")
    if !begun.isEmpty { try await client.send(begun) }
    try await client.close()
    _ = await stage.words()
    #expect(stage.events.last == .closed(connection: 1, by: .subject, isIdle: begun.isEmpty))
    await stage.server.stop()
  }

  /// A case may continue as soon as it sees a request. Its next step may change the answer to later requests, not to
  /// this one.
  @Test func decidesWhatHappensToARequestBeforeAnybodyHearsOfIt() async throws {
    let heard = Inbox<[String]>([])
    let server = try await MockServer.start(
      name: "main", clock: VirtualClock(),
      responder: { request in
        heard.change { $0.append("decided \(request.connection)") }
        return Stage.reply
      }, journal: { event in heard.change { $0.append(event.word) } })
    let client = try await RawClient.connect(to: server.port)
    try await client.send(Stage.request)
    _ = await client.end()
    await server.stop()
    #expect(heard.value.prefix(3) == ["connected 1", "decided 1", "request 1"])
  }

  @Test func answersPipelinedRequestsInOrderThoughThousands() async throws {
    let stage = try await Stage(responder: Self.echo)
    let client = try await RawClient.connect(to: stage.port)
    let paths = (0..<5000).map { "/\($0)" }
    let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
    // The line end at the end is one Character.
    try await client.send(String(requests.dropLast()))
    try await client.finishSending("\r\n")
    let state = await client.end()
    #expect(state.text == paths.map { Self.answer("\($0) ") }.joined())
    #expect(await stage.words().last == "closed 1 subject")
    await stage.server.stop()
  }

  /// More than the mock lets pile up behind a reply that waits; nothing of it is lost.
  @Test func readsOnAfterAPileBehindAReplyThatWaited() async throws {
    let stage = try await Stage { request in
      let reply = WireReply(response: HTTPResponse(status: 200))
      return request.target == "/wait" ? WireReply([.pause(.seconds(1))] + reply.actions) : reply
    }
    let client = try await RawClient.connect(to: stage.port)
    let post = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 100_000)
    let bytes = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n" + String(repeating: post, count: 60)
    client.channel.writeAndFlush(ByteBuffer(string: bytes), promise: nil)
    await stage.wait(for: "held 1")
    await stage.clock.advance(by: .seconds(1))
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    let state = await client.received { $0.bytes.count == 61 * answer.utf8.count }
    #expect(state.text == String(repeating: answer, count: 61))
    await stage.server.stop()
  }

  @Test func recordsRequestsAsTheyWere() async throws {
    let stage = try await Stage()
    let text = "POST http://h/a%2Fb?x=%20&&z HTTP/1.0\r\nhost: h\r\nX-a:  1 \r\nX-A: 2\r\ncontent-length: 3\r\n\r\n{}\n"
    _ = try await RawClient.exchange(text, with: stage.port)
    _ = await stage.words()
    let expected = RequestRecord(
      connection: 1, line: "POST http://h/a%2Fb?x=%20&&z HTTP/1.0",
      headers: ["host": "h", "X-a": "1", "X-A": "2", "content-length": "3"], body: Octets("{}\n".utf8))
    #expect(stage.events.contains(.request(expected)))
    await stage.server.stop()
  }

  @Test func answersAClientThatHasFinishedSending() async throws {
    let stage = try await Stage()
    let client = try await RawClient.connect(to: stage.port)
    try await client.send("GET / HTTP/1.1\r\nHost: h\r\n")
    try await client.finishSending("\r\n")
    #expect(await client.end().text == Stage.greetingBytes)
    await stage.server.stop()
  }

  enum Leaving: CaseIterable, Sendable {
    case close, reset
  }

  @Test(arguments: Leaving.allCases) func noticesClientsThatVanishWhileTheirReplyWaits(_ leaving: Leaving) async throws
  {
    let stage = try await Stage.with(.delay(.seconds(30)))
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    await stage.wait(for: "held 1")
    #expect(stage.clock.pending == 1)
    if leaving == .close { try await client.close() } else { try await client.reset() }
    let words = await stage.words()
    #expect(words.suffix(4) == ["held 1", "released 1", "concluded 1", "closed 1 subject"])
    #expect(stage.clock.pending == 0)
    await stage.clock.advance(by: .seconds(31))
    #expect(stage.events.count == words.count)
    await stage.server.stop()
  }

  @Test func invitesTheBodyOfWhoExpectsIt() async throws {
    let stage = try await Stage(responder: Self.echo)
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(
      "POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
    let invitation = "HTTP/1.1 100 Continue\r\n\r\n"
    #expect(await client.received("\r\n\r\n").text == invitation)
    try await client.send("hi")
    #expect(await client.end().text == invitation + Self.answer("/e hi"))
    await stage.server.stop()
  }

  @Test func turnsMalformedInputAway() async throws {
    let stage = try await Stage()
    let input = "GET / HTTP/1.1\r\nHost : h\r\n\r\n"
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(input)
    let state = await client.end()
    #expect(state.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(state.text.hasSuffix("\r\n\r\nspace before the colon in header 1\n"))
    #expect(state.ending == .fin)
    #expect(await stage.words() == ["connected 1", "malformed 1", "response 1 400", "closed 1 kit"])
    #expect(
      stage.events[1]
        == .malformed(connection: 1, reason: "space before the colon in header 1", Octets(input.utf8)))
    await stage.server.stop()
  }

  @Test func letsAClientThatIsStillSendingReadWhyItIsTurnedAway() async throws {
    let stage = try await Stage(options: .init(limits: .init(body: 1000), farewell: .seconds(600)))
    let client = try await RawClient.connect(to: stage.port)
    try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
    client.channel.writeAndFlush(ByteBuffer(repeating: 0x78, count: 4_000_000), promise: nil)
    let state = await client.end()
    #expect(state.text.hasSuffix("a Content-Length of 4000000 is more than 1000 bytes\n"))
    #expect(state.ending == .fin)
    await stage.server.stop()
  }

  struct Unfinished: Sendable {
    var input: String
    var reason: String
  }

  @Test(arguments: [
    Unfinished(input: "GET / HT", reason: "the connection ended in the first line"),
    Unfinished(
      input: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhi",
      reason: "the connection ended 3 bytes before the end that Content-Length promised"),
  ]) func keepsTheBytesOfRequestsThatNeverBecameWhole(_ unfinished: Unfinished) async throws {
    let stage = try await Stage()
    let client = try await RawClient.connect(to: stage.port)
    try await client.finishSending(unfinished.input)
    #expect(await client.end().text.hasPrefix("HTTP/1.1 400 "))
    #expect(await stage.words().last == "closed 1 subject")
    let raw = Octets(unfinished.input.utf8)
    #expect(stage.events[1] == .malformed(connection: 1, reason: unfinished.reason, raw))
    await stage.server.stop()
  }

  @Test func boundsTheEvidence() async throws {
    let stage = try await Stage()
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(String(repeating: "A", count: 100_000))
    _ = await client.end()
    _ = await stage.words()
    guard case .malformed(_, let reason, let raw) = stage.events[1] else {
      Issue.record("\(stage.events[1])")
      return
    }
    #expect(reason == "the header is larger than 65536 bytes" && raw.bytes.count == 65536)
    await stage.server.stop()
  }

  @Test func stopsWithOpenHeldAndHalfSentRequests() async throws {
    let stage = try await Stage { $0.target == "/hang" ? WireReply([.hold]) : Stage.reply }
    let idle = try await RawClient.connect(to: stage.port)
    await stage.wait(for: "connected 1")
    let held = try await RawClient.connect(to: stage.port)
    try await held.send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\nGET /never HTTP/1.1\r\nHost: h\r\n\r\n")
    await stage.wait(for: "held 2")
    let half = try await RawClient.connect(to: stage.port)
    try await half.send("GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    #expect(await half.end().text == Stage.greetingBytes)
    await stage.server.stop()
    await stage.server.stop()
    for client in [idle, held] { #expect(await client.end().ending != nil) }
    let words = stage.events.map(\.word)
    #expect(words.suffix(4) == ["closed 1 kit", "released 2", "concluded 2", "closed 2 kit"])
    await #expect(throws: MockServer.ListenFailure.self) { try await stage.server.listen() }
  }

  @Test func servesOthersWhileOneClientIsSlow() async throws {
    let stage = try await Stage()
    let slow = try await RawClient.connect(to: stage.port)
    try await slow.send("GET / HTTP/1.1\r\nHost: h\r\nHo")
    #expect(try await RawClient.exchange(Stage.request, with: stage.port).text == Stage.greetingBytes)
    await stage.server.stop()
    let reason = "the connection ended in the header, by the mock"
    #expect(
      stage.events.contains(.malformed(connection: 1, reason: reason, Octets("GET / HTTP/1.1\r\nHost: h\r\nHo".utf8))))
  }

  /// A client that reads nothing while the server has megabytes for it does not keep the server from ending.
  @Test func stopsWhileAnAnswerIsStuck() async throws {
    let body = [UInt8](repeating: 0x78, count: 64 << 20)
    let stage = try await Stage { _ in WireReply(response: HTTPResponse(status: 200, body: body)) }
    let client = try await RawClient.connect(to: stage.port)
    try await client.channel.setOption(.autoRead, value: false).get()
    try await client.send(Stage.request)
    await stage.wait(for: "response 1 200")
    await stage.server.stop()
    #expect(stage.events.map(\.word).suffix(2) == ["concluded 1", "closed 1 kit"])
    try await client.close()
  }

  @Test func concludesEachRequestOnce() async throws {
    let faults: [Fault.Kind?] = [
      nil, .drop(serverActs: false), .reset(afterBytes: 9), .truncate(bytes: 1), .badChunk, .wrongLength(by: 1),
      .status(500),
      .drip(bytes: 9, every: .milliseconds(1)), .delay(.milliseconds(1)), .raw(Octets("x".utf8)),
    ]
    let next = Inbox(0)
    let journal = Inbox<[WireEvent]>([])
    let server = try await MockServer.start(
      name: "main", clock: ScaledClock(scale: 1000),
      responder: { _ in
        next.change { $0 += 1 }
        return Stage.reply(bentBy: faults[next.value % faults.count])
      }, journal: { event in journal.change { $0.append(event) } })
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { _ = try? await RawClient.exchange(Stage.request, with: server.port) } }
    }
    await server.stop()
    for connection in 1...100 {
      let own = journal.value.map(\.word).filter { $0.split(separator: " ")[1] == "\(connection)" }
      #expect(own.first == "connected \(connection)" && own.last?.hasPrefix("closed") == true)
      #expect(own.filter { $0.hasPrefix("concluded") }.count == own.filter { $0.hasPrefix("request") }.count)
      #expect(own.filter { $0.hasPrefix("released") }.count == own.filter { $0.hasPrefix("held") }.count)
    }
    #expect(journal.value.filter { if case .request = $0 { true } else { false } }.count == 100)
  }

  /// The loop is kept from its sockets until the client has left and the question is asked: what it answers then, it
  /// cannot have read.
  @Test func noticesADepartureThatItsLoopHasNotRead() async throws {
    try await Stage.withOwnLoop(responder: { _ in WireReply([.hold]) }) { stage in
      let leaving = try await RawClient.connect(to: stage.port)
      try await leaving.send(Stage.request)
      let staying = try await RawClient.connect(to: stage.port)
      try await staying.send(Stage.request)
      await stage.wait(for: "held 1")
      await stage.wait(for: "held 2")
      let busy = await BusyLoop(stage.server.eventLoop)
      try await leaving.leave()
      let noticing = Task.immediate { await stage.server.noticeDepartures() }
      busy.end()
      await noticing.value
      #expect(stage.events.map(\.word).filter { $0.hasPrefix("released") } == ["released 1"])
    }
  }
}
