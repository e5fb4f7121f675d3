import Testing

@testable import ConformanceWire

/// A server that anybody can reach gives no client more than its share.
@Suite struct ServiceBoundsTests {
  /// A server whose clients may take what is said, and else as much as they want.
  private static func server(
    head: Duration = .seconds(600), body: Duration = .seconds(600), connections: Int = .max, bytes: Int = .max
  ) async throws -> MockServer {
    let bounds = ServiceBounds(head: head, body: body, connections: connections, bytes: bytes)
    return try await MockServer.start(
      name: "main", clock: VirtualClock(), responder: { _ in Stage.reply }, journal: { _ in },
      options: .init(farewell: .seconds(600), bounds: bounds))
  }

  private static let begun = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n"

  @Test(arguments: [
    ("GET / HT", "the head of the request took longer than 0.2 seconds"),
    ("GET / HTTP/1.1\r\nHost: ", "the head of the request took longer than 0.2 seconds"),
    (begun + "ab", "the body of the request took longer than 0.2 seconds"),
  ])
  func aClientThatIsSlowIsTurnedAway(sent: String, says: String) async throws {
    let server = try await Self.server(head: .milliseconds(200), body: .milliseconds(200))
    var text = ""
    // A client that did not get to its first byte in time was closed without an answer.
    while text.isEmpty {
      let client = try await RawClient.connect(to: server.port)
      guard (try? await client.send(sent)) != nil else { continue }
      text = await client.end().text
    }
    #expect(text.hasPrefix("HTTP/1.1 408 "), "\(text)")
    #expect(text.contains(says), "\(text)")
    await server.stop()
  }

  @Test func aConnectionThatAsksForNothingIsClosed() async throws {
    let server = try await Self.server(head: .milliseconds(20))
    let state = await (try RawClient.connect(to: server.port)).end()
    #expect(state.text.isEmpty && state.ending == .fin)
    await server.stop()
  }

  @Test func oneConnectionTooManyIsClosedAtOnce() async throws {
    let server = try await Self.server(connections: 1)
    let first = try await RawClient.connect(to: server.port)
    try await first.send(Self.begun)
    let second = await (try RawClient.connect(to: server.port)).end()
    #expect(second.text.isEmpty)
    try await first.close()
    await server.stop()
  }

  /// The bytes of all connections count together, and only as long as a connection is open.
  @Test func bodiesHaveABoundTogether() async throws {
    let server = try await Self.server(bytes: 1500)
    let first = try await RawClient.connect(to: server.port)
    try await first.send(Self.begun + String(repeating: "a", count: 1000))
    let second = try await RawClient.exchange(Self.begun + String(repeating: "b", count: 1000), with: server.port)
    #expect(second.text.hasPrefix("HTTP/1.1 503 "), "\(second.text)")
    try await first.close()
    await server.noticeDepartures()
    var third = ""
    // The server frees the bytes only when its loop has processed the end of the first connection.
    while !third.hasPrefix("HTTP/1.1 200 ") {
      let body = String(repeating: "c", count: 1000)
      third = try await RawClient.exchange(
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n\(body)", with: server.port
      ).text
    }
    await server.stop()
  }

  @Test func whoIsQuickNoticesNothing() async throws {
    let server = try await Self.server(connections: 2, bytes: 1 << 20)
    for _ in 0..<5 {
      let state = try await RawClient.exchange(Stage.request, with: server.port)
      #expect(state.text == Stage.greetingBytes)
    }
    await server.stop()
  }
}
