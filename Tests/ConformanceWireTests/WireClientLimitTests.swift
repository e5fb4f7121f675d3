import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix
import Templates
import Testing

@testable import ConformanceWire

/// The limits with which a client ends an exchange, and the bytes that it writes.
@Suite struct WireClientLimitTests {
  private func failure(_ body: () async throws(WireFailure) -> ResponseRecord) async -> WireFailure? {
    do throws(WireFailure) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  private func endpoint(_ port: Int) -> WireEndpoint { WireEndpoint(host: "127.0.0.1", port: port) }

  @Test(arguments: ["", "Content-Length: 3000000\r\n", "Transfer-Encoding: chunked\r\n"])
  func cutsAHugeResponse(_ framing: String) async throws {
    let size = framing.contains("chunked") ? "2dc6c0\r\n" : ""
    let bytes = Array("HTTP/1.1 200 OK\r\n\(framing)\r\n\(size)".utf8) + [UInt8](repeating: 0x78, count: 3_000_000)
    let server = try await RawServer.start(bytes, then: .stay)
    let client = WireClient(limits: .init(responseBytes: 1_000_000))
    let failure = await failure { () throws(WireFailure) in
      try await client.send(HTTPRequest(method: "GET", target: "/"), to: endpoint(server.port))
    }
    #expect(failure?.kind == .tooLarge)
    #expect(failure?.received.bytes.starts(with: "HTTP/1.1 200 OK\r\n".utf8) == true)
    #expect((failure?.received.bytes.count ?? 0) < 3_000_000)
    try await server.stop()
  }

  @Test func givesUpInTime() async throws {
    let server = try await RawServer.start(Array("HTTP/1.1 2".utf8), then: .stay, atOnce: true)
    let client = WireClient(limits: .init(exchange: .milliseconds(50)))
    let failure = await failure { () throws(WireFailure) in
      try await client.send(Array("x".utf8), to: endpoint(server.port))
    }
    #expect(failure?.kind == .timeout)
    #expect(failure?.text.hasSuffix(" within 0.05 seconds") == true, "\(String(describing: failure))")
    try await server.stop()
  }

  @Test func cancellingClosesTheConnection() async throws {
    let stage = try await Stage.with(.hang)
    let task = Task { () async -> WireFailure? in
      await failure { () throws(WireFailure) in
        try await WireClient().send(HTTPRequest(method: "GET", target: "/"), to: endpoint(stage.port))
      }
    }
    await stage.wait(for: "held 1")
    task.cancel()
    #expect(await task.value == WireFailure(.closed, "the exchange was cancelled"))
    #expect(await stage.words().last == "closed 1 subject")
    await stage.server.stop()
  }

  @Test func cancelledBeforeItBegan() async throws {
    let stage = try await Stage()
    let task = Task { () async -> WireFailure? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(WireFailure) in
        try await WireClient().send(HTTPRequest(method: "GET", target: "/"), to: endpoint(stage.port))
      }
    }
    #expect(await task.value?.kind == .closed)
    await stage.server.stop()
  }

  /// An exchange that begins on an event loop ends on the same loop, once, and not before the call has returned.
  @Test(arguments: [(false, nil), (true, .closed)] as [(Bool, WireFailure.Kind?)])
  func staysOnTheLoopOfItsCaller(isCancelled: Bool, kind: WireFailure.Kind?) async throws {
    let stage = try await Stage()
    let target = endpoint(stage.port)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let ended = loop.makePromise(of: Result<ResponseRecord, WireFailure>.self)
    loop.execute {
      var hasReturned = false
      let bytes = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
      let exchange = WireClient(group: loop).start(bytes, to: target, on: loop) { result in
        loop.assertInEventLoop()
        #expect(hasReturned)
        ended.succeed(result)
      }
      if isCancelled { exchange.cancel() }
      hasReturned = true
    }
    switch try await ended.futureResult.get() {
    case .success(let response): #expect(kind == nil && response.status == 200)
    case .failure(let failure): #expect(failure.kind == kind)
    }
    await stage.server.stop()
  }

  @Test func aRefusedConnectionEndsAfterTheCallHasReturned() async throws {
    let stage = try await Stage()
    try await stage.server.refuse()
    let target = endpoint(stage.port)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let ended = loop.makePromise(of: WireFailure.Kind?.self)
    loop.execute {
      var hasReturned = false
      _ = WireClient(group: loop).start(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: target, on: loop) { result in
        #expect(hasReturned)
        if case .failure(let failure) = result { ended.succeed(failure.kind) } else { ended.succeed(nil) }
      }
      hasReturned = true
    }
    #expect(try await ended.futureResult.get() == .refused)
    await stage.server.stop()
  }

  @Test func namesWhatCannotBeReached() async throws {
    let unknown = await failure { () throws(WireFailure) in
      try await WireClient().send(Array("x".utf8), to: WireEndpoint(host: "no-such-host.invalid", port: 80))
    }
    #expect(unknown?.kind == .unreachable)
    // Two look-ups fail, for IPv4 and for IPv6 addresses. The text reports this once.
    let parts = unknown?.text.components(separatedBy: "no-such-host.invalid")
    #expect(parts?.count == 2 && parts?.first == "no address is found for '", "\(String(describing: unknown))")
  }

  @Test func writesOnlyWhatIsMissing() async throws {
    let stage = try await Stage()
    func record(_ request: HTTPRequest) async throws -> (String, HTTPHeaders) {
      _ = try await WireClient().send(request, to: endpoint(stage.port))
      let records = stage.events.compactMap { if case .request(let record) = $0 { record } else { nil } }
      let last = try #require(records.last)
      return (last.line, last.headers)
    }
    let host = "127.0.0.1:\(stage.port)"
    let bare = try await record(HTTPRequest(method: "GET", target: "/a?b=%20"))
    #expect(bare == ("GET /a?b=%20 HTTP/1.1", ["Host": host, "Connection": "close"]))
    let empty = try await record(HTTPRequest(method: "POST", target: "/"))
    #expect(empty.1 == ["Host": host, "Content-Length": "0", "Connection": "close"])
    let own: HTTPHeaders = ["x-b": "1", "HOST": "h", "content-length": "1", "X-A": "", "connection": "close"]
    let full = try await record(HTTPRequest(method: "PUT", target: "/", headers: own, body: [65]))
    #expect(full.1 == own)
    await stage.server.stop()
  }

  @Test func sendsAChunkedBodyWhenTheRequestSaysSo() {
    let request = HTTPRequest(
      method: "POST", target: "/", headers: ["Host": "h", "Transfer-Encoding": "chunked", "Connection": "x"],
      body: Array("0123456789".utf8))
    #expect(
      String(decoding: HTTPMessageWriter.bytes(of: request, to: "ignored"), as: UTF8.self)
        == "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: x\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"
    )
  }
}

@Suite struct WireEndpointTests {
  @Test(arguments: [
    ("http://host", WireEndpoint(host: "host", port: 80), "host"),
    ("HTTPS://Host/base?x", WireEndpoint(host: "Host", port: 443, isTLS: true), "Host"),
    ("http://10.0.0.1:8080/", WireEndpoint(host: "10.0.0.1", port: 8080), "10.0.0.1:8080"),
    ("https://[::1]:8443", WireEndpoint(host: "::1", port: 8443, isTLS: true), "[::1]:8443"),
    ("http://host:", WireEndpoint(host: "host", port: 80), "host"),
    ("http://host:443", WireEndpoint(host: "host", port: 443), "host:443"),
  ]) func readsBaseURLs(_ url: String, _ endpoint: WireEndpoint, _ authority: String) {
    #expect(WireEndpoint(url: url) == endpoint)
    #expect(endpoint.authority == authority)
  }

  @Test(arguments: [
    "", "host", "host:80", "ftp://host", "http:/host", "http://", "http://:80", "http://h:0", "http://h:65536",
    "http://h:+80", "http://h:8x", "http://user@h", "http://[::1", "http://[::1]x", "http://[h]",
    "http://[fe80::1%25eth0]", "http://h h",
  ]) func refusesOthers(_ url: String) {
    #expect(WireEndpoint(url: url) == nil)
  }
}

@Suite struct ScaledClockTests {
  @Test(arguments: [
    (1.0, LogicalTime.milliseconds(1.5), TimeAmount.microseconds(1500)), (60, .seconds(60), .seconds(1)),
    (1, .seconds(1e12), .nanoseconds(3_200_000_000_000_000_000)), (1, .milliseconds(-5), .zero),
  ]) func dividesLogicalTimeByTheScale(_ scale: Double, _ time: LogicalTime, _ real: TimeAmount) {
    #expect(ScaledClock(scale: scale).realTime(of: time) == real)
  }

  @Test func firesOnTheLoopAndCanBeCalledOff() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let clock = ScaledClock(scale: 1e6)
    let fired = loop.makePromise(of: Bool.self)
    try await loop.submit {
      clock.schedule(after: .seconds(1), on: loop) { fired.fail(ChannelError.eof) }.cancel()
      _ = clock.schedule(after: .seconds(2), on: loop) { fired.succeed(loop.inEventLoop) }
    }.get()
    #expect(try await fired.futureResult.get())
  }
}
