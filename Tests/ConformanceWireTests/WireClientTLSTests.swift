import ConformanceTranscript
import Foundation
import HTTPValues
import Testing

@testable import ConformanceTLS
@testable import ConformanceWire

/// TLS, and each side speaking it alone.
@Suite struct WireClientTLSTests {
  private func exchange(
    _ host: String, _ port: Int, tls: any ClientTLS = OpenSSLClient()
  ) async -> Result<ResponseRecord, WireFailure> {
    let request = HTTPRequest(method: "GET", target: "/")
    do throws(WireFailure) {
      return .success(
        try await WireClient(tls: tls).send(request, to: .init(host: host, port: port, isTLS: true)))
    } catch {
      return .failure(error)
    }
  }

  private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)

  @Test func verifiesTheServerByNameAndByAddress() async throws {
    let site = try TestSite(address: [127, 0, 0, 1])
    let server = try await RawServer.start(Self.answer, tls: site.server)
    for host in ["localhost", "127.0.0.1"] {
      #expect(try await exchange(host, server.port, tls: site.client()).get().body.text == "hi")
    }
    try await server.stop()
  }

  @Test func refusesAServerItDoesNotTrust() async throws {
    let server = try await RawServer.start(Self.answer, tls: TestSite(address: [127, 0, 0, 1]).server)
    let failure = try await #require(throws: WireFailure.self) { try await exchange("127.0.0.1", server.port).get() }
    #expect(
      failure.kind == .tls && failure.text.hasPrefix("the server's certificate is not trusted here"), "\(failure)")
    #expect(failure.text.contains("'trust' in a provisioning file"))
    try await server.stop()
  }

  @Test(arguments: ["localhost", "127.0.0.1"]) func refusesAServerOfAnotherName(_ host: String) async throws {
    let site = try TestSite("elsewhere", address: [127, 0, 0, 2])
    let server = try await RawServer.start(Self.answer, tls: site.server)
    let failure = try await #require(throws: WireFailure.self) {
      try await exchange(host, server.port, tls: site.client()).get()
    }
    #expect(failure.kind == .tls)
    #expect(failure.text == "the server's certificate is for other names than '\(host)': use a name that it is for")
    try await server.stop()
  }

  @Test func saysThatAServerSpeaksSomethingElse() async throws {
    let server = try await RawServer.start(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
    let failure = try await #require(throws: WireFailure.self) { try await exchange("127.0.0.1", server.port).get() }
    #expect(failure.kind == .tls && failure.text.hasPrefix("the server does not speak TLS: use http"), "\(failure)")
    try await server.stop()
  }

  /// A message of the TLS library, and the kit's words for it.
  @Test(arguments: [
    ("tlsv13 alert certificate required", "requires a client certificate"),
    ("tlsv1 unrecognized name", "no site of the name 'host.example'"),
    ("tlsv1 alert protocol version", "has to offer TLS 1.2 or 1.3"),
    ("sslv3 alert handshake failure", "has to offer TLS 1.2 or 1.3"),
    ("decrypt weirdly", "the TLS handshake with the server failed (decrypt weirdly)"),
  ])
  func tellsWhyInWords(said: String, told: String) {
    #expect(TLSFailure.reason(TLSProblem(reason: said), host: "host.example").contains(told))
  }

  @Test func trustsTheCertificatesOfAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let site = try TestSite()
    try Data(site.pem.utf8).write(to: URL(filePath: file))
    let server = try await RawServer.start(Self.answer, tls: site.server)
    let client = try WireClient.trusting(file, limits: .init())
    let answer = try await client.send(
      HTTPRequest(method: "GET", target: "/"), to: .init(host: "localhost", port: server.port, isTLS: true))
    #expect(answer.body.text == "hi")
    try await server.stop()
    for content in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
      try Data(content.utf8).write(to: URL(filePath: file))
      let failure = #expect(throws: WireFailure.self) { _ = try WireClient.trusting(file, limits: .init()) }
      #expect(failure?.text == "'\(file)' contains no readable certificate in PEM")
    }
  }

  /// The system's own file is read when it is asked for, and once it was in vain it is not asked again.
  @Test func trustsTheRootsOfTheSystem() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (known, unknown) = (try TestSite(), try TestSite())
    try Data(known.pem.utf8).write(to: URL(filePath: file))
    let client = OpenSSLClient(trusting: [Array(try TestSite().pem.utf8)], systemFile: file)
    for (site, isTrusted) in [(unknown, false), (known, true), (unknown, false)] {
      let server = try await RawServer.start(Self.answer, tls: site.server)
      let answer = await exchange("localhost", server.port, tls: client)
      #expect((try? answer.get())?.body.text == (isTrusted ? "hi" : nil), "\(answer)")
      try await server.stop()
    }
  }

  /// A launch may be over, and its client gone, before a handshake is.
  @Test func aSessionKeepsWhatItVerifiesBy() throws {
    var settings: TLSSettings? = try .client(trusting: [], systemFile: nil)
    weak let kept = settings
    let session = try TLSSession(#require(settings), server: "localhost")
    settings = nil
    withExtendedLifetime(session) { #expect(kept != nil) }
  }

  @Test func aClientWithoutTLSSaysSo() async throws {
    let endpoint = WireEndpoint(host: "localhost", port: 443, isTLS: true)
    let failure = await #expect(throws: WireFailure.self) {
      try await WireClient().send(HTTPRequest(method: "GET", target: "/"), to: endpoint)
    }
    #expect(failure == WireFailure(.tls, "this client does not support TLS: use http"))
  }

  @Test func saysThatAServerSpeaksTLS() async throws {
    // The alert that a client has spoken no version that the server knows.
    let server = try await RawServer.start([0x15, 3, 1, 0, 2, 2, 0x46])
    let failure = try await #require(throws: WireFailure.self) {
      try await WireClient().send(Array("HELLO, WORLD\r\n".utf8), to: .init(host: "127.0.0.1", port: server.port))
    }
    #expect(failure.kind == .tls && failure.text == "the server speaks TLS: use https", "\(failure)")
    #expect(failure.received.bytes.starts(with: [0x15, 0x03]))
    try await server.stop()
  }

  @Test func saysThatAServerSpeaksPlainHTTP() async throws {
    let stage = try await Stage()
    let failure = try await #require(throws: WireFailure.self) { try await exchange("127.0.0.1", stage.port).get() }
    #expect(failure.kind == .tls && failure.text == "the server speaks plain HTTP: use http", "\(failure)")
    #expect(failure.received.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    _ = await stage.words()
    guard case .malformed(1, let reason, let raw) = stage.events[1] else {
      Issue.record("\(stage.events)")
      return
    }
    #expect(reason == "the client speaks TLS: use http" && raw.bytes.starts(with: [0x16, 0x03]))
    await stage.server.stop()
  }

  @Test func saysThatAServerEndsTheHandshake() async throws {
    let server = try await RawServer.start([])
    let failure = try await #require(throws: WireFailure.self) { try await exchange("127.0.0.1", server.port).get() }
    #expect(failure.kind == .tls && failure.text.contains("during the TLS handshake"), "\(failure)")
    try await server.stop()
  }

  @Test func carriesMoreThanOneRecord() async throws {
    let site = try TestSite()
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    let server = try await RawServer.start(bytes, tls: site.server)
    #expect(try await exchange("localhost", server.port, tls: site.client()).get().body.bytes == body)
    try await server.stop()
  }

  /// Until close, only TLS itself can say that nothing is missing.
  @Test func doesNotTrustABodyThatTLSDidNotEnd() async throws {
    let site = try TestSite()
    let trust = try site.client()
    let bytes = Array("HTTP/1.1 200 OK\r\n\r\nhalf a bo".utf8)
    let whole = try await RawServer.start(bytes, tls: site.server)
    #expect(try await exchange("localhost", whole.port, tls: trust).get().body.text == "half a bo")
    try await whole.stop()
    let cut = try await RawServer.start(bytes, then: .cut, tls: site.server)
    let failure = try await #require(throws: WireFailure.self) {
      try await exchange("localhost", cut.port, tls: trust).get()
    }
    #expect(failure.kind == .closed && failure.received.bytes == bytes, "\(failure)")
    try await cut.stop()
  }
}
