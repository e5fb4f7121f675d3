import ConformanceModel
import ConformanceTranscript
import HTTPValues
import Testing

@testable import ConformanceTLS
@testable import ConformanceWire

/// A mock server that speaks TLS, with good certificates and with wrong ones.
@Suite struct MockServerTLSTests {
  private static let run = RunTLS()

  private func stage() async throws -> Stage {
    try await Stage(options: .init(farewell: .seconds(600), tls: TLSIdentity(name: "main.test", tls: Self.run)))
  }

  private func ask(
    _ stage: Stage, trusting pem: String = run.authority, as name: String = "main.test"
  ) async -> Result<ResponseRecord, WireFailure> {
    do throws(WireFailure) {
      let client = WireClient(tls: try OpenSSLClient().trusting(pem), hosts: [name: "127.0.0.1"])
      let endpoint = WireEndpoint(host: name, port: stage.port, isTLS: true)
      return .success(try await client.send(HTTPRequest(method: "GET", target: "/x"), to: endpoint))
    } catch {
      return .failure(error)
    }
  }

  @Test func answersWhoTrustsTheAuthority() async throws {
    let stage = try await stage()
    #expect(try await ask(stage).get().body.text == "hello")
    #expect(
      await stage.words() == [
        "connected 1", "handshake 1 completed", "request 1", "response 1 200", "concluded 1", "closed 1 kit",
      ])
    await stage.server.stop()
  }

  /// The answer is there although the mock ends its side, and with it TLS, before the client does.
  @Test func turnsAwayWhatIsNoRequest() async throws {
    let stage = try await stage()
    let client = WireClient(tls: try OpenSSLClient().trusting(Self.run.authority), hosts: ["main.test": "127.0.0.1"])
    let endpoint = WireEndpoint(host: "main.test", port: stage.port, isTLS: true)
    #expect(try await client.send(Array("HELLO\r\n\r\n".utf8), to: endpoint).status == 400)
    await stage.server.stop()
  }

  @Test(arguments: [
    (Fault.CertificateFlaw.unknownAuthority, "is not trusted here"), (.expired, "is not trusted here"),
    (.wrongName, "is for other names than 'main.test'"),
  ])
  func showsACertificateThatIsWrong(_ flaw: Fault.CertificateFlaw, told: String) async throws {
    let stage = try await stage()
    try await stage.server.show(flaw)
    let failure = try await #require(throws: WireFailure.self) { try await ask(stage).get() }
    #expect(failure.kind == .tls && failure.text.contains(told), "\(failure)")
    #expect(await stage.words().prefix(2) == ["connected 1", "fault 1 tls"])
    try await stage.server.show(nil)
    #expect(try await ask(stage).get().status == 200)
    let words = await stage.words(closed: 2)
    #expect(!words.contains("request 1") && words.contains("request 2"), "\(words)")
    await stage.server.stop()
  }

  /// Some clients end a handshake in the clear, behind other bytes of the same piece.
  @Test(
    arguments: [
      ([21, 3, 3, 0, 2, 2, 48], "the client's alert: unknown ca"),
      ([20, 3, 3, 0, 1, 1, 21, 3, 1, 0, 2, 2, 45], "the client's alert: certificate expired"),
      ([21, 3, 3, 0, 2, 2, 7], "the client's alert: number 7"), ([23, 3, 3, 0, 2, 2, 48], nil),
      ([21, 3, 3, 0, 2], nil),
    ] as [([UInt8], String?)])
  func readsAnAlert(bytes: [UInt8], text: String?) { #expect(TLSAlert(record: bytes)?.text == text) }

  @Test func otherAuthoritiesAndOtherRunsAreNotTrusted() async throws {
    let stage = try await stage()
    let failure = try await #require(throws: WireFailure.self) {
      try await ask(stage, trusting: RunTLS().authority).get()
    }
    #expect(failure.text.contains("is not trusted here"), "\(failure)")
    #expect(await stage.words() == ["connected 1", "handshake 1 refused", "closed 1 subject"])
    await stage.server.stop()
  }

  @Test func aClientWithoutTLSIsShownNothing() async throws {
    let stage = try await stage()
    try await stage.server.show(.expired)
    let endpoint = WireEndpoint(host: "127.0.0.1", port: stage.port)
    await #expect(throws: WireFailure.self) {
      try await WireClient().send(HTTPRequest(method: "GET", target: "/x"), to: endpoint)
    }
    #expect(await stage.words().prefix(2) == ["connected 1", "handshake 1 failed"])
    guard case .handshake(let handshake) = stage.events[1] else { return }
    #expect(handshake.text == "the client speaks plain HTTP")
    await stage.server.stop()
  }
}
