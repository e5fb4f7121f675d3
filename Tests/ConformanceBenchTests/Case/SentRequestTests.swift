import ConformanceModel
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import Recording
@testable import Subjects

/// Golden requests with changes.
@Suite struct SentRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var send: Step.Send
    var line = "POST /event"
    var key: String? = "k"
    var body = #"{"name":"n"}"#
  }

  private static func send(
    bindings: String? = nil, with: JSON = ["name": "n", "key": "k"], edits: [Step.Edit] = [],
    headers: [String: Template?] = [:], path: Template? = nil, method: String? = nil, body: Template? = nil
  ) -> Step.Send {
    Step.Send(
      exchange: "event", bindings: bindings, with: template(with), edits: edits, headers: headers, path: path,
      method: method, body: body)
  }

  private static func request(
    _ send: Step.Send, of exchange: Exchange, bindings: Bindings = [:]
  ) throws -> HTTPRequest {
    let template = try #require(exchange.request(in: Sample.dialect))
    return try SentRequest(send, exchange: exchange, template: template, bindings: bindings, models: [:]).request
  }

  @Test func theAddressOfTheClientStandsInTheFieldThatTheServerBelieves() throws {
    var send = Self.send(headers: ["X-Other": template("1")])
    send.from = template("${here}")
    func request(_ field: String?) throws -> HTTPRequest {
      try SentRequest(
        send, exchange: Sample.event, template: try #require(Sample.event.request(in: Sample.dialect)),
        bindings: ["here": "81.2.3.4"], models: [:],
        clients: field.map { .init(header: $0, addresses: ClientAddresses(unique: "u")) }
      ).request
    }
    #expect(try request("X-Forwarded-For").headers["X-Forwarded-For"] == "81.2.3.4")
    #expect(try request("True-Client-IP").headers["True-Client-IP"] == "81.2.3.4")
    #expect(throws: CaseHalt.self) { _ = try request(nil) }
  }

  private static func edit(_ key: String, _ value: JSON?) -> Step.Edit {
    Step.Edit(path: JSONPath([.key(key)]), value: value.map(template))
  }

  private static let rows = [
    Row(testDescription: "as it is", send: send()),
    Row(
      testDescription: "an optional hole that is filled", send: send(with: ["name": "n", "key": "k", "note": 1]),
      body: #"{"name":"n","note":1}"#),
    Row(
      testDescription: "a named set of bindings", send: send(bindings: "other", with: [:]), key: "k2",
      body: #"{"name":"other"}"#),
    Row(
      testDescription: "its own values before the named set", send: send(bindings: "other", with: ["name": "mine"]),
      key: "k2", body: #"{"name":"mine"}"#),
    Row(
      testDescription: "values of the case", send: send(with: ["name": "${row}", "key": "k"]), body: #"{"name":"r1"}"#),
    Row(
      testDescription: "members set and removed", send: send(edits: [edit("name", nil), edit("more", ["${row}"])]),
      body: #"{"more":["r1"]}"#),
    Row(testDescription: "another body", send: send(body: template(["a": "${row}"])), body: #"{"a":"r1"}"#),
    Row(testDescription: "a body that is a text", send: send(body: template("not {json")), body: "not {json"),
    Row(testDescription: "an empty body", send: send(body: template("")), body: ""),
    Row(testDescription: "another path", send: send(path: template("/x/${row}?q=1")), line: "POST /x/r1?q=1"),
    Row(testDescription: "another method", send: send(method: "PATCH"), line: "PATCH /event"),
    Row(testDescription: "a header set", send: send(headers: ["x-key": template("${row}")]), key: "r1"),
    Row(testDescription: "a header removed", send: send(headers: ["x-key": Template?.none]), key: nil),
  ]

  @Test(arguments: rows)
  func aGoldenRequestIsBent(row: Row) throws {
    let request = try Self.request(row.send, of: Sample.event, bindings: ["row": "r1"])
    #expect("\(request.method) \(request.target)" == row.line)
    #expect(request.headers["X-Key"] == row.key)
    #expect(String(decoding: request.body, as: UTF8.self) == row.body)
  }

  @Test(arguments: [send(with: ["name": "n"]), send(with: ["name": "${nothing}", "key": "k"])])
  func aHoleThatNothingFillsIsAnError(send: Step.Send) {
    #expect(throws: Template.RenderError.self) {
      try Self.request(send, of: Sample.event)
    }
  }

  /// The value may come from an answer of the server, so the case is not wrong. A literal value is.
  @Test func aValueOfAnotherTypeFromAnAnswerIsAnUnmetPrecondition() {
    let exchange = Exchange(
      name: "look", text: "A look.", service: "main",
      request: .init(method: "GET", path: template("/"), headers: ["X-Key": template("${key:text}")]), responses: [:])
    let halt = #expect(throws: CaseHalt.self) {
      let send = Step.Send(exchange: "look", with: template(["key": "${told}"]))
      _ = try Self.request(send, of: exchange, bindings: ["told": 1])
    }
    #expect(halt?.ending.kind == .preconditionFailed)
    #expect(halt?.ending.text == "'send look' needs a non-empty string as 'key', found 1")
    #expect(throws: Template.RenderError.self) {
      _ = try Self.request(Step.Send(exchange: "look", with: template(["key": 1])), of: exchange)
    }
  }

  @Test(
    arguments: [(["id": "7"], "/items/7"), (["id": "7", "q": "a b&c"], "/items/7?q=a%20b%26c")] as [(JSON, String)])
  func aQueryWithoutAValueIsLeftOut(with: JSON, target: String) throws {
    let send = Step.Send(exchange: "lookup", with: template(with))
    #expect(try Self.request(send, of: Sample.lookup).target == target)
  }

  /// A name that a subject assigns may contain any characters, and is one path segment all the same. In a path of the
  /// case's own, only the values of the exchange's path are encoded so.
  @Test(
    arguments: [
      (nil, "/items/i%3A7%20%2B%2F%2541~%C3%A9"), ("/v2/items/${id}/", "/v2/items/i%3A7%20%2B%2F%2541~%C3%A9/"),
      ("/v2${rest}", "/v2/a?b=c"),
    ] as [(String?, String)])
  func aValueInAPathIsOneSegment(path: String?, target: String) throws {
    var send = Step.Send(exchange: "lookup", with: template(["id": "i:7 +/%41~é"]))
    send.path = path.map { template(.string($0)) }
    #expect(try Self.request(send, of: Sample.lookup, bindings: ["rest": "/a?b=c"]).target == target)
  }
}
