import ConformanceModel
import ConformanceTranscript
import HTTPValues
import Templates
import Testing

@testable import ConformanceWire

/// The duties of a mock as an origin server, whatever answer a case scripts.
@Suite struct OriginServerTests {
  private static let instant = Timestamp(milliseconds: 784_111_777_000)
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private static func record(_ method: String = "GET", _ headers: HTTPHeaders = ["Host": "h"]) -> RequestRecord {
    RequestRecord(connection: 1, line: "\(method) /x HTTP/1.1", headers: headers, body: Octets([]))
  }

  private static func response(
    _ response: HTTPResponse = .json(200, ["a": 1]), _ fault: Fault.Kind? = nil, to request: RequestRecord = record()
  ) throws -> ResponseRecord {
    try #require(WireReply(response: response, fault: fault, to: request, at: instant).response)
  }

  static let faults: [Fault.Kind?] = [
    nil, .status(503), .status(405), .redirect(status: 307, location: "/y"), .truncate(bytes: 2), .wrongLength(by: 3),
    .badChunk,
    .delay(.seconds(1)),
  ]

  @Test(arguments: faults) func everyAnswerSaysWhenItWasMade(fault: Fault.Kind?) throws {
    #expect(try Self.response(.json(200, ["a": 1]), fault).headers.values("Date") == [Self.date])
  }

  @Test(arguments: faults) func everyAnswerMayBeReadByAPageOfAnotherOrigin(fault: Fault.Kind?) throws {
    let asked = Self.record("GET", ["Host": "h", "Origin": "https://app.example"])
    let headers = try Self.response(.json(200, ["a": 1]), fault, to: asked).headers
    #expect(headers.values("Access-Control-Allow-Origin") == ["*"])
    #expect(try Self.response(.json(200, ["a": 1]), fault).headers["Access-Control-Allow-Origin"] == nil)
  }

  @Test func aPageOfAnotherOriginMayReadAllFields() throws {
    let asked = Self.record("GET", ["Host": "h", "Origin": "https://app.example"])
    #expect(try Self.response(to: asked).headers["Access-Control-Expose-Headers"] == "*")
  }

  @Test func aRequestThatIsRewrittenIntoNoneIsRefused() throws {
    let octets = Array("GET / HTTP/1.1\nHost: h\r\n\r\n".utf8)
    let problem = try #require(throws: HTTPProblem.self) { try HTTPMessageReader.request(octets).get() }
    let reply = WireReply(refusing: problem, octets, to: Self.record(), at: Self.instant)
    #expect(reply.response?.status == 400)
    #expect(reply.response?.headers["Connection"] == "close")
    #expect(reply.request == .malformed("LF without CR at the end of the first line", Octets(octets)))
  }

  @Test func whatACaseScriptsStays() throws {
    let scripted = HTTPResponse(status: 200, headers: ["date": "yesterday"])
    #expect(try Self.response(scripted).headers.values("Date") == ["yesterday"])
  }

  @Test func aMethodThatIsNotAllowedIsAnsweredWithThoseThatAre() throws {
    #expect(try Self.response(.json(200, [:]), .status(405)).headers["Allow"] == "")
    #expect(try Self.response(.json(200, [:]), .status(404)).headers["Allow"] == nil)
  }

  @Test func theAnswerToHEADHasTheLengthOfTheAnswerToGET() throws {
    let get = try Self.response()
    let head = try Self.response(to: Self.record("HEAD"))
    #expect(head.headers["Content-Length"] == get.headers["Content-Length"])
    #expect(head.body.bytes.isEmpty)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/a/b?c=d", "/a/b?c=d"), ("http://127.0.0.1:8080", "/"), ("https://h/?x", "/?x"),
    ("HTTP://h/a", "/a"),
    ("/a?u=http://h/", "/a?u=http://h/"),
  ])
  func aTargetInAbsoluteFormIsTheOneThatItContains(target: String, origin: String) {
    let record = RequestRecord(connection: 1, line: "GET \(target) HTTP/1.1", headers: [:], body: Octets([]))
    #expect(record.request.target == origin)
    #expect(record.target == target)
  }

  @Test(arguments: [
    ("GET /x HTTP/1.1\r\n\r\n", "no Host"),
    ("GET /x HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "2 fields of the name Host"),
  ])
  func aRequestWithoutOneHostIsTurnedAway(request: String, reason: String) async throws {
    let stage = try await Stage()
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(request)
    let text = await client.end().text
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && text.hasSuffix("\r\n\r\n\(reason)\n"), "\(text)")
    _ = await stage.words()
    #expect(stage.events.contains(.malformed(connection: 1, reason: reason, Octets(Array(request.utf8)))))
    #expect(!stage.events.contains { if case .request = $0 { true } else { false } })
    await stage.server.stop()
  }

  @Test func anOldClientNeedsNoHost() async throws {
    let stage = try await Stage()
    let client = try await RawClient.connect(to: stage.port)
    try await client.send("GET /x HTTP/1.0\r\n\r\n")
    #expect(await client.end().text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    await stage.server.stop()
  }
}
