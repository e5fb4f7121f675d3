import Testing

@testable import ConformanceSpec
@testable import Coverage
@testable import LinkFortyCore

/// The members that claims check, and the moments of commands, for a protocol of one exchange and four commands.
@Suite struct FlowTests {
  private func sources(
    steps: [String], claims: [String], environment: String = "{}", role: String = "sdk"
  ) async throws -> CatalogueSources {
    let text = """
      kit: 2
      cases:
        - case: a
          title: A
          role: \(role)
          environment: \(environment)
          steps:
      \(steps.map { "      - { \($0) }\n" }.joined())    claims:
      \(claims.map { "      - { requirement: AA-001, \($0) }\n" }.joined())
      """
    let files = [
      "spec/small/protocol.yaml": Self.definition, "spec/small/requirements/a.yaml": SmallProtocol.oneRequirement,
      "spec/small/coverage.yaml": Self.notes, "spec/small/cases/a.yaml": text,
      "Fixtures/small/exchanges/event.json": Self.event, "Fixtures/small/models/Link.json": Self.link,
    ]
    return try await CatalogueLoader(CatalogueFolder(texts: files), schemas: Sample.schemas.get()).sources(of: "small")
  }

  private func looked(_ grid: CoverageGrid) -> [String] { grid.cells.filter { $0.cell.count > 0 }.map(\.name) }

  /// The first member of the model, and the places at which claims check it.
  @Test(
    arguments: [
      (["settle: 1s"], "matches: { request: event, which: first, is: { body: { link: { code: x } } } }", ["request"]),
      (
        ["settle: 1s"], "count: { request: event, where: { body: { link: { code: { $like: x } } } }, is: 1 }",
        ["request"]
      ),
      (["settle: 1s"], "count: { request: event, where: { body: { link: \"${:Link}\" } }, is: 1 }", ["request"]),
      (["settle: 1s"], "count: { request: event, where: { body: { link: \"${:object}\" } }, is: 1 }", []),
      (["settle: 1s"], "count: { request: event, where: { body: { link: { $not: { note: x } } } }, is: 1 }", []),
      (["settle: 1s"], "golden: { request: event }", ["request"]),
      (["settle: 1s"], "series: { request: event, path: $.body.link.code, is: different }", ["request", "second"]),
      (["call: get, as: got"], "returns: { got: { code: x } }", ["result"]),
      (["call: get, as: got"], "returns: { got: { note: x } }", []),
      (
        ["call: get, as: got"], "any-of: [ { returns: { got: { code: x } } }, { returns: { got: { note: x } } } ]",
        ["result"]
      ),
      (["call: get, as: got"], "returns: { got: { $fails: x } }", []),
      (["call: get, as: got", "call: clear"], "returns: { got: { code: x } }", ["result"]),
      (["call: clear", "call: get, as: got"], "returns: { got: { code: x } }", ["result", "clear"]),
      // The absence of the model covers its members at the place where it was expected, and nowhere else.
      (["call: get, as: got"], "returns: { got: null }", []),
      (["call: clear", "call: get, as: got"], "returns: { got: null }", ["clear"]),
      (["restart: kill", "call: get, as: got"], "returns: { got: { code: x } }", ["result", "launch"]),
      (
        ["restart: kill", "settle: 1s"],
        "matches: { request: event, which: last, is: { body: { link: { code: x } } } }", ["request", "launch"]
      ),
      (
        ["restart: kill", "settle: 1s"],
        "matches: { request: event, which: first, is: { body: { link: { code: x } } } }", ["request"]
      ),
      (
        ["call: \"on\", with: { handle: h }", "restart: kill"],
        "called-back: { callback: h, times: 1, with: { code: x } }", ["callback"]
      ),
      (
        ["call: start, with: { mode: a }", "call: start, with: { mode: b }", "call: get, as: got"],
        "returns: { got: { code: x } }", ["result", "second"]
      ),
      (
        ["call: start, with: { mode: a }", "call: start, with: { mode: a }", "call: get, as: got"],
        "returns: { got: { code: x } }", ["result"]
      ),
    ] as [([String], String, [String])])
  func aClaimLooksAtWhatItSpeaksOf(steps: [String], claim: String, places: [String]) async throws {
    let flow = MemberFlow(try await sources(steps: steps, claims: [claim]))
    #expect(looked(flow.bare).filter { $0.hasPrefix("Link.code ") } == places.map { "Link.code \($0)" })
  }

  @Test func whereAModelDoesNotPassThereIsNothingToLookAt() async throws {
    let flow = MemberFlow(try await sources(steps: ["settle: 1s"], claims: ["count: { request: event, is: 1 }"]))
    #expect(
      flow.bare.cells.map(\.name) == [
        "Link.code request", "Link.code result", "Link.code callback", "Link.code launch", "Link.code clear",
        "Link.code second", "Link.note request", "Link.note result", "Link.note callback", "Link.note launch",
        "Link.note clear", "Link.note second",
      ])
    #expect(flow.grid.cells.filter { $0.cell.reason != nil }.map(\.name) == ["Link.note launch"])
  }

  /// The moments at which the last command is called.
  @Test(
    arguments: [
      (["call: get"], "{}", ["before"]), (["call: start", "settle: 1s", "call: get"], "{}", []),
      (["call: start", "call: get"], "{}", ["reply"]),
      (["call: start, wait: false", "call: get"], "{}", ["during"]),
      (["call: start, wait: false", "settle: 1s", "call: get"], "{}", []),
      (["call: start, wait: false, as: s", "await: { reply: s }", "call: get"], "{}", ["reply"]),
      (
        [
          "call: \"on\", with: { handle: h }", "call: start, wait: false, as: s", "await: { callback: h }", "call: get",
        ], "{}", ["during", "reply"]
      ),
      (
        ["fault: { how: hang, exchange: event }", "call: start, wait: false", "settle: 1s", "call: get"], "{}",
        ["during", "failure"]
      ),
      (["together: [ { call: start }, { call: get } ]"], "{}", ["during"]),
      (["call: start", "settle: 1s", "call: clear", "settle: 1s", "call: get"], "{}", ["clear"]),
      (["call: start", "restart: kill", "call: start", "settle: 1s", "call: get"], "{}", ["launch"]),
      (["call: start", "restart: { how: kill, storage: fresh }", "call: start", "settle: 1s", "call: get"], "{}", []),
      (
        ["fault: { how: drop, exchange: event }", "call: start", "settle: 1s", "heal: event", "call: get"], "{}",
        ["failure"]
      ),
      (["fault: { how: delay, by: 1s, exchange: event }", "call: start", "settle: 1s", "call: get"], "{}", []),
      (["answer: event, response: plain, status: 500", "call: start", "settle: 1s", "call: get"], "{}", ["failure"]),
      (["call: start", "settle: 1s", "surroundings: { online: false }", "call: get"], "{}", ["offline"]),
      (["call: start", "settle: 1s", "call: get"], "{ online: false }", ["offline"]),
      (["call: start", "surroundings: { online: true }", "settle: 1s", "call: get"], "{ online: false }", []),
      (["call: start", "settle: 1s", "fault: { how: refuse }", "call: get"], "{}", ["offline"]),
      (["call: start, need: fails", "settle: 1s", "call: get"], "{}", ["before"]),
    ] as [([String], String, [String])])
  func aCommandIsCalledInAMomentOfTheAppsLife(steps: [String], environment: String, moments: [String]) async throws {
    let all = CommandMoments(
      try await sources(steps: steps, claims: ["count: { request: event, is: 1 }"], environment: environment))
    #expect(looked(all.bare).filter { $0.hasPrefix("get ") } == moments.map { "get \($0)" })
  }

  private static let notes = """
    kit: 2
    passages:
      - { model: Link, result: get }
      - { model: Link, callback: "on" }
    flow: [ { cell: Link.note la*, reason: A. } ]

    """

  private static let definition = """
    kit: 2
    protocol: small
    title: Small
    document: Small
    revision: "1"
    services: [ { name: api, text: A. } ]
    roles: { sdk: { driver: true, upstream: [api] } }
    dialects: [spec]
    surroundings: [ { name: online, text: A., schema: { type: boolean } } ]
    moments: { set-up: [start], clear: [clear], offline: [ { online: false } ] }
    commands:
      - command: start
        text: A.
        params: { type: object, properties: { mode: { type: string } } }
        result: { type: "null" }
      - { command: get, text: A., params: { type: object }, result: { type: object } }
      - { command: clear, text: A., params: { type: object }, result: { type: "null" } }
      - command: "on"
        text: A.
        params: { type: object, properties: { handle: { type: string } } }
        result: { type: "null" }
        callback: { type: object }

    """

  private static let event = """
    {
      "kit": 2, "exchange": "event", "text": "An event.", "at": "api",
      "request": { "method": "POST", "path": "/events", "body": { "link": "${link:Link}" } },
      "responses": { "default": { "any": { "status": 200, "body": {} } }, "plain": { "any": { "status": 204 } } }
    }
    """

  private static let link = """
    {
      "kit": 2, "model": "Link", "text": "A link.", "template": { "code": "${:text}", "note?": "${:string}" },
      "examples": { "full": { "code": "abc" } }
    }
    """
}
