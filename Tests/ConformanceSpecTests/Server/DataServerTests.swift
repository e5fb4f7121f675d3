import ConformanceModel
import ConformanceSpec
import ConformanceTranscript
import HTTPValues
import JSONKit
import ServerRules
import Templates
import Testing

/// A server as data: its answers, and its state afterwards.
@Suite struct DataServerTests {
  /// One action on a server, and the expected result.
  struct Turn: Sendable {
    enum Act: Sendable {
      case send(String, JSON, headers: [String: String?])
      case operate(String, JSON)
      case advance(Int)
    }

    var act: Act
    /// A template for the response or the outcome. Captured values can be used in later turns.
    var expected: JSON

    static func send(
      _ exchange: String, _ with: JSON = [:], headers: [String: String?] = [:], is expected: JSON
    ) -> Turn {
      Turn(act: .send(exchange, with, headers: headers), expected: expected)
    }
    static func operate(_ command: String, _ params: JSON, is expected: JSON) -> Turn {
      Turn(act: .operate(command, params), expected: expected)
    }
    static func advance(minutes: Int) -> Turn { Turn(act: .advance(minutes * 60_000), expected: [:]) }
  }

  struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sample: @Sendable () throws -> ServerSample
    var turns: [Turn]
  }

  /// The page's first example accepts the key of its `values`, unless the backend was provisioned with another one.
  @Test(
    arguments: [
      (nil, "key-of-the-station", true), (nil, "another-key", false), ("another-key", "another-key", true),
      ("another-key", "key-of-the-station", false),
    ] as [(String?, String, Bool)])
  func aLentValueTakesThePlaceOfItsOwn(lent: String?, sent: String, isTaken: Bool) async throws {
    let sample = try ServerSample.towers()
    let exchange = try #require(try await sample.sources().catalogue.exchange("issue"))
    var server = try await sample.server()
    if let lent { server.lend(["apiKey": .string(lent)]) }
    let request = try Self.request(exchange, ["key": .string(sent), "keeper": "anna"], [:])
    #expect((server.respond(to: request, at: "main", now: 0).status < 300) == isTaken)
  }

  /// Rules that a defect adds, and a command that it makes ineffective.
  @Test(
    arguments: [
      ([], 401, 202, 409), (["key.any"], 201, 202, 409), (["signal.mute"], 401, 409, 409),
      (["pass.for-ever"], 401, 202, 202), (["key.any", "pass.for-ever"], 201, 202, 202),
    ] as [(Set<DefectID>, Int, Int, Int)])
  func itHasTheDefectsThatAreSwitchedOn(
    switches: Set<DefectID>, badKey: Int, signal: Int, expired: Int
  ) async throws {
    let unauthorized = "  - { to: issue, give: unauthorized }\n"
    let known = "  - { to: signal, while: { state.shown:"
    let sample = try ServerSample.towers()
      .replacing(
        unauthorized, with: "  - { to: issue, only: key.any, let: { pass: open }, give: issued }\n" + unauthorized
      )
      .replacing(known, with: "  - { to: signal, only: signal.mute, give: refused, with: { reason: muted } }\n" + known)
      .replacing("{ expire: keeperOf }", with: "[{ unless: pass.for-ever, expire: keeperOf }, {}]")
    let catalogue = try await sample.sources().catalogue
    var server = try await sample.server(switches: switches)
    func status(_ exchange: String, _ with: JSON) throws -> Int {
      let request = try Self.request(try #require(catalogue.exchange(exchange)), with, [:])
      return server.respond(to: request, at: "main", now: 0).status
    }
    #expect(try status("issue", ["key": "another-key"]) == badKey)
    _ = server.perform("grantPass", params: ["pass": "p"], now: 0)
    #expect(try status("signal", ["pass": "p", "id": "1"]) == signal)
    _ = server.perform("expirePass", params: ["pass": "p"], now: 0)
    #expect(try status("signal", ["pass": "p", "id": "2"]) == expired)
    #expect(server.complaint == nil)
  }

  @Test(arguments: towers + tokens)
  func answersAndRemembers(story: Story) async throws {
    let sample = try story.sample()
    let catalogue = try await sample.sources().catalogue
    var server = try await sample.server()
    var known: Bindings = [:]
    var now = 1_767_225_600_000
    for (number, turn) in story.turns.enumerated() {
      let found: JSON
      switch turn.act {
      case .advance(let span):
        now += span
        continue
      case .operate(let command, let params):
        let filled = try Template(params).render(known).object ?? [:]
        found = server.perform(command, params: filled, now: now).view
      case .send(let name, let with, let headers):
        let exchange = try #require(catalogue.exchange(name))
        let request = try Self.request(exchange, Template(with).render(known), headers)
        let response = server.respond(to: request, at: "main", now: now)
        #expect(server.complaint == nil)
        #expect(exchange.knows(response), "turn \(number): \(response.view) is no response of \(name)")
        found = response.view
      }
      let match = try Template(turn.expected).match(found, bindings: known)
      #expect(match.mismatches.map(\.text) == [], "turn \(number): \(found)")
      known = match.bindings
    }
  }

  private static func request(_ exchange: Exchange, _ with: JSON, _ headers: [String: String?]) throws -> HTTPRequest {
    var bindings = try #require(exchange.bindings(nil))
    // Values that a turn does not give are filled with a dash.
    for name in exchange.request(in: "one")?.holeNames ?? [] where bindings[name] == nil { bindings[name] = "-" }
    for member in with.object?.members ?? [] { bindings[member.key] = member.value }
    var request = try #require(exchange.request(in: "one")).render(bindings, models: [:])
    for (name, value) in headers { request.headers[name] = value }
    return request
  }

  // MARK: Passes and towers

  private static let towers = [
    Story(
      testDescription: "a pass is issued for the key alone", sample: ServerSample.towers,
      turns: [
        .send("issue", is: ["status": 201, "body": ["keeper": "anna", "pass": ["$like": "pass-[0-9a-f-]{36}"]]]),
        .send("issue", ["key": "wrong"], is: ["status": 401]),
        .send("issue", headers: ["Authorization": nil], is: ["status": 401]),
        .send("issue", headers: ["authorization": "Bearer key-of-the-station"], is: ["status": 201]),
      ]),
    Story(
      testDescription: "numbers are counted for each tower, and kept for each signal", sample: ServerSample.towers,
      turns: [
        .send("issue", is: ["body": ["pass": "${pass}"]]),
        .send("signal", ["pass": "${pass}"], is: ["status": 202, "body": ["seq": 1]]),
        .send("signal", ["pass": "${pass}", "id": "2"], is: ["body": ["seq": 2]]),
        .send("signal", ["pass": "${pass}"], is: ["body": ["seq": 1]]),
        .send("signal", ["pass": "${pass}", "tower": "south"], is: ["body": ["seq": 1]]),
      ]),
    Story(
      testDescription: "a pass lasts for ten minutes", sample: ServerSample.towers,
      turns: [
        .send("issue", is: ["body": ["pass": "${pass}"]]), .advance(minutes: 9),
        .send("signal", ["pass": "${pass}"], is: ["status": 202]), .advance(minutes: 1),
        .send("signal", ["pass": "${pass}"], is: ["status": 409, "body": ["error": "the pass has expired"]]),
        .send("signal", ["pass": "made-up"], is: ["status": 401, "body": ["error": "no such pass"]]),
        .send("signal", headers: ["X-Pass": nil], is: ["status": 401]),
      ]),
    Story(
      testDescription: "an operator grants passes, lets them expire and sets the watch", sample: ServerSample.towers,
      turns: [
        .operate("grantPass", ["pass": "p"], is: .null),
        .send("signal", ["pass": "p"], is: ["status": 202, "headers": ["x-watch": ["$like": "dawn-[0-9]+"]]]),
        .operate("setWatch", ["watch": "dusk"], is: .null),
        .send("signal", ["pass": "p"], is: ["headers": ["x-watch": ["$like": "dusk-[0-9]+"]]]),
        .operate("expirePass", ["pass": "p"], is: .null),
        .send("signal", ["pass": "p"], is: ["status": 409]),
        .operate("grantPass", ["pass": "p"], is: .null),
        .send("signal", ["pass": "p"], is: ["status": 202]),
        .operate("grantKey", [:], is: ["$fails": "unsupported"]),
      ]),
  ]

  // MARK: Tokens that rotate

  private static let tokens = [
    Story(
      testDescription: "every answer carries a new state", sample: ServerSample.tokens,
      turns: [
        .send("register", ["client": "a"], is: ["status": 204, "headers": ["x-state": "${first}"]]),
        .send("register", ["client": "a"], is: ["headers": ["x-state": ["$not": "${first}"]]]),
        .send("register", headers: ["X-Client": nil], is: ["status": 400, "headers": ["x-state": ["$absent": true]]]),
      ]),
    Story(
      testDescription: "a token leads to its contact", sample: ServerSample.tokens,
      turns: [
        .send(
          "contact", ["field": "mail", "value": "a-b-c"], is: ["body": ["token": "${one}", "refresh": "${refresh}"]]),
        .send("contact", ["field": "mail", "value": "other"], is: ["body": ["token": "${two}"]]),
        .send("events", ["token": "${one}"], is: ["status": 200, "body": ["views": 1]]),
        .send("renew", ["refresh": "${refresh}"], is: ["status": 200, "body": ["token": "${three}"]]),
        .send("events", ["token": "${three}"], is: ["body": ["views": 2]]),
        .send("events", ["token": "${two}"], is: ["body": ["views": 1]]),
        .send("renew", ["refresh": "${one}"], is: ["status": 401]),
      ]),
    Story(
      testDescription: "a token that has expired is told from one that nobody got", sample: ServerSample.tokens,
      turns: [
        .send("contact", ["field": "mail", "value": "a"], is: ["body": ["token": "${one}", "refresh": "${refresh}"]]),
        .operate("expireToken", ["token": "${one}"], is: .null),
        .send("events", ["token": "${one}"], is: ["status": 401, "body": ["reason": "expired"]]),
        .operate("expireToken", ["token": "${one}"], is: ["$fails": ["message": "no contact has this token"]]),
        .send("events", ["token": "made-up"], is: ["body": ["reason": "unknown"]]),
        .send("events", headers: ["X-Token": nil], is: ["body": ["reason": "unknown"]]),
        .send("renew", ["refresh": "${refresh}"], is: ["body": ["token": "${two}"]]),
        .send("events", ["token": "${two}"], is: ["status": 200]),
        .advance(minutes: 60), .send("events", ["token": "${two}"], is: ["body": ["reason": "expired"]]),
      ]),
    Story(
      testDescription: "a push token moves to its newest client", sample: ServerSample.tokens,
      turns: [
        .send("push", ["client": "a", "pushToken": "p"], is: ["status": 204]),
        .operate("pushTokenOf", ["client": "a"], is: "p"),
        .send("push", ["client": "b", "pushToken": "p"], is: ["status": 204]),
        .operate("pushTokenOf", ["client": "b"], is: "p"),
        .operate("pushTokenOf", ["client": "a"], is: ["$fails": "hook-failed"]),
        .send("push", ["client": "b", "pushToken": "p"], is: ["status": 204]),
        .operate("pushTokenOf", ["client": "b"], is: "p"),
      ]),
  ]

  // MARK: Seeds and unknown requests

  @Test func whatIsDrawnFollowsFromTheSeed() async throws {
    let request = HTTPRequest(method: "POST", target: "/client", headers: ["X-Client": "a"])
    func state(_ seed: UInt64) async throws -> String? {
      var server = try await ServerSample.tokens().server(seed: seed)
      return server.respond(to: request, at: "main", now: 0).headers["X-State"]
    }
    #expect(try await state(1) == state(1))
    #expect(try await state(1) != state(2))
  }

  @Test(arguments: [
    ("GET", "/client", "nearest is register: its method is POST, not GET"),
    ("POST", "/client/", "nearest is register: the path ends in '/'"),
    ("POST", "/nothing", "no exchange has this method and path"),
  ])
  func aRequestThatFitsNoExchangeIsToldWhichItNearlyWas(method: String, target: String, miss: String) async throws {
    var server = try await ServerSample.tokens().server()
    let response = server.respond(to: HTTPRequest(method: method, target: target), at: "main", now: 0)
    #expect(response.status == 404)
    #expect(response.view["body"] == ["error": .string(miss)])
    #expect(server.complaint == nil)
  }

  /// Claims judge whether a request is right. A server without a rule about a value accepts any.
  @Test(arguments: [5, "", ["a": []], .null] as [JSON])
  func aValueOfAnotherKindIsTakenAsItCame(keeper: JSON) async throws {
    var server = try await ServerSample.towers().server()
    let body: JSON = ["keeper": keeper]
    let response = server.respond(
      to: HTTPRequest(
        method: "POST", target: "/passes", headers: ["Authorization": "Bearer key-of-the-station"],
        body: body.compactBytes), at: "main", now: 0)
    #expect(response.status == 201)
    #expect(response.view["body"]?["keeper"] == keeper)
    #expect(server.complaint == nil)
  }

  /// A text in a path is a text, unless its hole has another kind there. Lint reports such an error; in a run it is a
  /// complaint of the server, and no subject is blamed.
  @Test(arguments: [
    ("${id:integer}", 200, nil), ("${id}", 500, "the golden answers: the fallback, the response 'default'"),
  ])
  func aHoleInAPathHasItsKind(hole: String, status: Int, complaint: String?) throws {
    let body = try Template(JSON(parsing: #"{ "id": "${id:integer}" }"#))
    let item = Exchange(
      name: "item", text: "", service: "main",
      request: .init(method: "GET", path: try Template(text: "/items/\(hole)")),
      responses: ["default": [.any: .init(status: 200, body: .json(body))]])
    let program = ServerProgram(ServerDefinition(), exchanges: [item], models: [:], dialect: "any")
    var server = DataServer(program, seed: 1)
    let response = server.respond(to: HTTPRequest(method: "GET", target: "/items/7"), at: "main", now: 0)
    #expect(response.status == status)
    #expect(response.view["body"]?["id"] == (status == 200 ? 7 : nil))
    #expect(server.complaint?.hasPrefix(complaint ?? "") == complaint.map { _ in true })
  }

  @Test func anAnswerThatLacksAValueIsAComplaint() async throws {
    let sample = try ServerSample.tokens().replacing(
      "with: { views: \"${state.views}\" }", with: "with: { views: \"${state.view}\" }")
    var server = try await sample.server()
    let linked = server.respond(
      to: HTTPRequest(
        method: "POST", target: "/contact", headers: ["X-Client": "a"], body: Array(#"{"field":"f","value":"v"}"#.utf8)),
      at: "main", now: 0)
    let token = try #require(linked.view["body"]?["token"]?.string)
    let response = server.respond(
      to: HTTPRequest(method: "POST", target: "/events", headers: ["X-Client": "a", "X-Token": token]), at: "main",
      now: 0)
    #expect(response.status == 500)
    let complaint = try #require(server.complaint)
    #expect(
      complaint.hasPrefix("server.yaml: $.rules[11], the response 'taken' of events: nothing is bound to ${views}"))
    _ = server.respond(to: HTTPRequest(method: "GET", target: "/"), at: "main", now: 0)
    #expect(server.complaint == nil)
  }
}

extension Exchange {
  /// Whether a response is one of those in the exchange.
  fileprivate func knows(_ response: HTTPResponse) -> Bool {
    responses.keys.contains { name in
      guard let golden = self.response(name, in: "one") else { return false }
      guard case .json(let template) = golden.body else { return response.body.isEmpty }
      // A rule may change the status, but not the body.
      return template.fits(Octets(response.body).json)
    }
  }
}

extension HTTPResponse {
  fileprivate var view: JSON {
    ResponseRecord(connection: 1, line: "HTTP/1.1 \(status) x", headers: headers, body: Octets(body)).view
  }
}

extension Template.Mismatch {
  fileprivate var text: String { "\(path): expected \(expected), observed \(observed)" }
}
