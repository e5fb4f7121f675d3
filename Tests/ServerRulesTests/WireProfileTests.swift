import JSONKit
import Testing

@testable import ConformanceModel
@testable import HTTPValues
@testable import ServerRules
@testable import Templates

/// A wire profile moves the values of another wire format to the places where cases read them, and loses none.
@Suite struct WireProfileTests {
  private static func exchange(
    _ method: String, _ path: JSON, headers: [String: JSON], body: JSON, answer: JSON
  ) throws -> Exchange {
    Exchange(
      name: "sign", text: "A visitor signs.", service: "book",
      request: .init(
        method: method, path: try Template(path), headers: try headers.mapValues { try Template($0) },
        body: try Template(body)),
      responses: ["signed": [.any: .init(status: 200, body: .json(try Template(answer)))]])
  }

  private static func profile() throws -> WireProfile {
    let own = try exchange(
      "POST", "/books/${book}/names", headers: ["Authorization": "Bearer ${token}"],
      body: ["name": "${name}", "device": ["os": "${os}"]],
      answer: ["id": "${id}", "page": ["number": "${page:integer}"], "seal": .null])
    let spoken = try exchange(
      "PUT", "/v2/sign/${book}", headers: ["X-Token": "${token}"], body: ["who": "${name}", "system": "${os}"],
      answer: ["entry": ["key": "${id}"], "leaf": "${page:integer}", "stamp": .null])
    return WireProfile([own], spokenAs: [spoken], dialect: "v1", models: [:])
  }

  private static func translated(_ request: HTTPRequest) throws -> HTTPRequest? {
    guard case .translated(let translated) = try profile().read(request, at: "book") else { return nil }
    return translated
  }

  @Test func readsARequest() throws {
    let request = HTTPRequest(
      method: "PUT", target: "/v2/sign/guests", headers: ["X-Token": "t-1", "Accept": "*/*"],
      body: Array(#"{"who":"ann","system":"os 1"}"#.utf8))
    let known = try #require(try Self.translated(request))
    #expect(known.method == "POST" && known.target == "/books/guests/names")
    #expect(known.headers["Authorization"] == "Bearer t-1" && known.headers["X-Token"] == nil)
    #expect(known.headers["Accept"] == "*/*")
    let body = try JSON(parsing: known.body)
    #expect(body["name"] == "ann" && body["device"]?["os"] == "os 1" && body.object?.members.count == 2)
  }

  /// A missing member stays missing, and an unexpected member stays visible.
  @Test func repairsAndHidesNothing() throws {
    let request = HTTPRequest(
      method: "PUT", target: "/v2/sign/guests", headers: ["Authorization": "secret"],
      body: Array(#"{"system":7,"password":"canary"}"#.utf8))
    let known = try #require(try Self.translated(request))
    let body = try JSON(parsing: known.body)
    #expect(body["name"] == nil && body["device"]?["os"] == 7 && body["password"] == "canary")
    #expect(known.headers["Authorization"] == "secret")
  }

  @Test func theOldWordsAreReplaced() throws {
    let request = HTTPRequest(method: "POST", target: "/books/guests/names")
    guard case .replaced("sign") = try Self.profile().read(request, at: "book") else {
      Issue.record("taken")
      return
    }
    guard case .other = try Self.profile().read(HTTPRequest(method: "GET", target: "/"), at: "book") else {
      Issue.record("taken")
      return
    }
  }

  @Test func writesAnAnswer() throws {
    let answer = try Self.profile().write(
      .json(200, ["id": "n-1", "page": ["number": 4], "seal": .null, "more": true]), to: "sign")
    let body = try JSON(parsing: answer.body)
    #expect(body["entry"]?["key"] == "n-1" && body["leaf"] == 4 && body["stamp"] == .null && body["more"] == true)
    #expect(body["id"] == nil && body["page"] == nil && body["seal"] == nil)
    // A response that is not an answer of the exchange is sent unchanged.
    let failure = HTTPResponse.json(503, ["error": "no"])
    #expect(try Self.profile().write(failure, to: "sign") == failure)
  }
}
