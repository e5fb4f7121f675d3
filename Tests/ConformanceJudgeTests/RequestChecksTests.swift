import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import ConformanceJudge

/// The checks of the form of each request, each with what it finds and with legal forms that it must not find.
@Suite struct RequestChecksTests {
  private static let json: HTTPHeaders = ["Host": "h:80", "Content-Type": "application/json"]

  private static func request(
    _ target: String = "/event", _ headers: HTTPHeaders = json, body: [UInt8] = Array("{}".utf8)
  ) -> TranscriptEntry.Event {
    .request(
      upstream: "main",
      RequestRecord(
        connection: 1, line: "POST \(target) HTTP/1.1", headers: headers, body: Octets(body), exchange: "event"))
  }

  private static func unread(_ text: String) -> TranscriptEntry.Event {
    .malformed(upstream: "main", connection: 1, reason: "", Octets(text.utf8))
  }

  private func findings(_ name: String, _ event: TranscriptEntry.Event) throws -> [String] {
    var scene = Scene(events: [event])
    scene.bindings["main"] = ["url": "http://h:80", "host": "h:80"]
    return try scene.evaluator.findings(of: .check(name: name, with: [:])).map(\.description)
  }

  @Test(
    arguments: [
      (
        "one-fitting-host", request("/event", ["Host": "api.example"]),
        "event request: expected the Host h:80, observed api.example (entry 1)"
      ),
      (
        "one-fitting-host", unread("GET /a HTTP/1.1\r\nA: b\r\n\r\n"),
        "malformed request: expected one Host, observed none (entry 1)"
      ),
      (
        "one-fitting-host", unread("GET /a HTTP/1.1\r\nHost: h:80\r\nhost: i\r\n\r\n"),
        "malformed request: expected one Host, observed 2: h:80, i (entry 1)"
      ),
      (
        "one-fitting-host", request("http://links.example/event", ["Host": "h:80"]),
        "event request: expected the Host links.example, observed h:80 (entry 1)"
      ),
      (
        "whole-line-ends", unread("GET /a HTTP/1.1\nHost: h:80\r\n\r\n"),
        "malformed request: expected CR LF at the end of each line of the head, observed LF alone (entry 1)"
      ),
      (
        "whole-line-ends", unread("GET /a HTTP/1.1\r\nA: b\rc\r\nHost: h:80\r\n\r\n"),
        "malformed request: expected CR LF at the end of each line of the head, observed CR alone (entry 1)"
      ),
      (
        "one-body-length",
        unread("POST /a HTTP/1.1\r\nHost: h:80\r\nContent-Length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}"),
        "malformed request: expected Content-Length or Transfer-Encoding, observed both: Transfer-Encoding: chunked (entry 1)"
      ),
      (
        "typed-body", request("/event", ["Host": "h:80"]),
        "event request: expected a Content-Type, observed none (entry 1)"
      ),
      (
        "valid-percent-encoding", request("/event?of=100%"),
        "event request: expected each % before two hexadecimal digits, and nothing that must be escaped, "
          + "observed '%' in /event?of=100% (entry 1)"
      ),
      (
        "valid-percent-encoding", unread("GET /a b HTTP/1.1\r\nHost: h:80\r\n\r\n"),
        "malformed request: expected each % before two hexadecimal digits, and nothing that must be escaped, "
          + "observed ' ' in /a b (entry 1)"
      ),
      (
        "no-fragment", request("/event?a=b#top"), "event request: expected no fragment, observed #top (entry 1)"
      ),
      (
        "utf-8-body", request(body: [0x22, 0xE4, 0x22]), "event request: expected UTF-8, observed other bytes (entry 1)"
      ),
      (
        "utf-8-body", request(body: [0x7B, 0, 0x7D, 0]),
        "event request: expected UTF-8, observed NUL bytes, as in UTF-16 (entry 1)"
      ),
      (
        "no-byte-order-mark", request(body: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]),
        "event request: expected no byte order mark, observed the byte order mark of UTF-8 (entry 1)"
      ),
      (
        "unique-member-names", request(body: Array(#"{"a":[{"b":1,"b":2}]}"#.utf8)),
        "event request: expected names that are unique, observed 'b' twice (entry 1)"
      ),
    ] as [(String, TranscriptEntry.Event, String)])
  func aWrongFormIsFound(name: String, event: TranscriptEntry.Event, finding: String) throws {
    #expect(try findings(name, event) == [finding])
  }

  static let legal: [TranscriptEntry.Event] = [
    request(),
    request("/event", ["host": "H:80", "content-type": "application/json; charset=utf-8", "content-length": "2"]),
    request("/event", ["Host": "h:80", "Transfer-Encoding": "chunked", "Content-Type": "application/vnd.api+json"]),
    request("http://h:80/event", json), request("/%65vent?a=%C3%BC&b=~{x}|y"),
    request(body: Array(#"{"a":{"c":1},"b":{"c":1},"text":"\uFEFFü\u0000"}"#.utf8)),
  ]

  @Test(arguments: CommonChecks.ofRequests.keys.sorted(), legal)
  func aLegalFormIsNotFound(name: String, event: TranscriptEntry.Event) throws {
    #expect(try findings(name, event) == [])
  }

  @Test(arguments: CommonChecks.ofRequests.keys.sorted())
  func withoutARequestNothingIsProven(name: String) {
    #expect(throws: Unjudgeable.self) { try findings(name, .output(Octets([]))) }
  }

  @Test func aCompressedBodyIsNotJudged() {
    let event = Self.request("/event", Self.json + ["Content-Encoding": "gzip"], body: [0x1F, 0x8B, 0])
    #expect(throws: Unjudgeable.self) { try findings("utf-8-body", event) }
  }

  /// An app that is killed while it sends has a reason to send no Host.
  @Test(arguments: ["POST /a HTTP/1.1\r\nA: b", "POST /a HTTP/1.1\r\n"])
  func aHeadThatEndsEarlyLacksNoHost(text: String) throws {
    #expect(try findings("one-fitting-host", Self.unread(text)) == [])
  }

  @Test func bytesThatAreNotHTTPAreNotJudged() {
    #expect(throws: Unjudgeable.self) { try findings("one-fitting-host", Self.unread("\u{16}\u{3}\u{1}")) }
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0], "observed nothing: the body begins with the byte order mark of UTF-16"),
      ([0x1F, 0x8B, 8], "observed nothing: the body is compressed with gzip"),
    ] as [([UInt8], String)])
  func aFindingSaysWhyABodyCannotBeRead(body: [UInt8], finding: String) throws {
    let scene = Scene(events: [Self.request(body: body)])
    let claim = Claim.Assertion.matches(
      Selector(.request(exchange: "event")), which: .each, is: template(["body": "${:object}"]))
    #expect(try scene.evaluator.findings(of: claim).map(\.description).first?.contains(finding) == true)
  }
}

private func + (left: HTTPHeaders, right: HTTPHeaders) -> HTTPHeaders { HTTPHeaders(left.fields + right.fields) }
