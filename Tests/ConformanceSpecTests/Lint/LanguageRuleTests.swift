import ConformanceSpec
import SpecDocuments
import Testing

@testable import LinkFortyCore
@testable import Lint

/// The diagnostics of lint for the messages of cases, and for the words that they use.
@Suite struct LanguageRuleTests {
  /// The lint rules that are tested here, on a catalogue of their own.
  static let rules: Set<String> = [
    "unfilled-hole", "unknown-hole", "unused-answer", "selector-service", "unused-state", "rare-word",
  ]

  /// A protocol of one exchange and two services, with these cases.
  private func diagnostics(
    _ cases: String, states: String = "", event: String = LanguageRuleTests.event
  ) async throws -> [Diagnostic] {
    var texts = [
      "spec/small/protocol.yaml": Self.definition, "spec/small/requirements/a.yaml": Self.requirements,
      "spec/small/cases/a.yaml": "kit: 2\ncases:\n" + cases, "Fixtures/small/exchanges/event.json": event,
    ]
    if !states.isEmpty { texts["spec/small/steps.yaml"] = "kit: 2\nstates:\n" + states }
    return await Linter.lint(CatalogueFolder(texts: texts), protocol: "small", schemas: try Sample.schemas.get())
  }

  private func findings(_ rule: String, of all: [Diagnostic]) -> [String] {
    #expect(all.allSatisfy { $0.rule != "schema" && $0.rule != "value" }, "\(all)")
    return all.filter { $0.rule == rule }.map { "\($0.field): expected \($0.expected), found \($0.found)" }
  }

  /// A case with these steps, one on each line, and these rows.
  private func aCase(_ name: String = "a", rows: [String] = [], steps: [String], role: String = "sdk") -> String {
    let table = rows.isEmpty ? "" : "    rows:\n" + rows.map { "      - { \($0) }\n" }.joined()
    let claim = role == "sdk" ? "AA-001, count: { request: event, is: 1 }" : "AA-002, returns: { s: { status: 200 } }"
    return "  - case: \(name)\n    title: A\n    role: \(role)\n\(table)    steps:\n"
      + steps.map { "      - { \($0) }\n" }.joined() + "    claims: [ { requirement: \(claim) } ]\n"
  }

  @Test(
    arguments: [
      ("answer: event, response: ok, with: { id: 5, next: x }", []),
      ("answer: event, response: ok, with: { id: 5, now: x, next: x }", ["now"]),
      ("answer: event, response: ok, with: { id: 5 }", ["!next"]),
      ("answer: event, response: ok, with: { \"id?\": 5, next: x }", []),
      ("answer: event, response: ok, with: { \"id?\": \"${none}\", next: x }", ["!id"]),
      ("answer: event, response: ok, with: { id: 5, next: x, nex: y }", ["nex"]),
      ("answer: event, response: plain, with: { id: 5 }", ["id"]),
      ("answer: event, response: plain", []),
    ] as [(String, [String])])
  func anAnswerFillsTheHolesOfItsResponse(step: String, names: [String]) async throws {
    let all = try await diagnostics(aCase(steps: [step, "settle: 1s"]))
    let lacking = findings("unfilled-hole", of: all)
    let unknown = findings("unknown-hole", of: all)
    #expect(
      lacking
        == names.filter { $0.hasPrefix("!") }.map {
          "$.cases[0].steps[0]: expected a value for ${\($0.dropFirst())}, in 'with' or in the bindings of 'event', found none"
        })
    #expect(unknown.count == names.count { !$0.hasPrefix("!") }, "\(unknown)")
    for (finding, name) in zip(unknown, names) { #expect(finding.hasSuffix("found '\(name)'"), "\(finding)") }
  }

  @Test func aRowMayGiveWhatOnlyAnotherRowNeeds() async throws {
    let rows = ["row: a, response: plain", "row: b, response: ok"]
    let steps = ["answer: event, response: \"${response}\", with: { id: 5, next: x, more: 1 }", "settle: 1s"]
    let found = findings("unknown-hole", of: try await diagnostics(aCase(rows: rows, steps: steps)))
    #expect(found.map { $0.hasPrefix("$.cases[0].steps[0].with.more: ") } == [true, true])
  }

  @Test(
    arguments: [
      ("send: event, with: { name: x }, as: s", [], []), ("send: event, as: s", ["name"], []),
      ("send: event, bindings: named, as: s", [], []),
      ("send: event, with: { name: x, place: y }, as: s", [], ["place"]),
      ("send: event, with: { name: x, page: y }, as: s", [], []),
    ] as [(String, [String], [String])])
  func aSendFillsTheHolesOfItsRequest(step: String, lacking: [String], unknown: [String]) async throws {
    let all = try await diagnostics(aCase(steps: [step], role: "server"))
    #expect(findings("unfilled-hole", of: all).count == lacking.count)
    #expect(findings("unknown-hole", of: all).count == unknown.count)
  }

  @Test func aResponseThatOnlyMatchesCannotBeScripted() async throws {
    let event = Self.event.replacing(
      "\"plain\": { \"any\": { \"status\": 204 } }",
      with: "\"plain\": { \"any\": { \"status\": 200, \"body\": { \"a\": \"${:text}\" } } }")
    let all = try await diagnostics(
      aCase(steps: ["answer: event, response: plain", "settle: 1s"]), event: event)
    #expect(
      findings("unfilled-hole", of: all) == [
        "$.cases[0].steps[0]: expected a message of values and named holes, which can be made, found a check or a hole "
          + "without a name"
      ])
  }

  @Test(
    arguments: [
      (["answer: event, response: plain", "settle: 1s"], []), (["settle: 1s", "answer: event, response: plain"], [1]),
      (["answer: event, response: plain", "answer: event, response: plain", "settle: 1s"], [0]),
      (["answer: event, response: plain", "answer: event, response: plain, times: 1", "settle: 1s"], []),
      (["answer: event, response: plain", "answer: event, response: plain, where: { path: /a }", "settle: 1s"], []),
      (["answer: event, response: plain", "settle: 1s", "answer: event, response: plain", "settle: 1s"], []),
    ] as [([String], [Int])])
  func anAnswerIsOfUse(steps: [String], useless: [Int]) async throws {
    let found = findings("unused-answer", of: try await diagnostics(aCase(steps: steps)))
    #expect(found.map { $0.prefix { $0 != ":" } } == useless.map { "$.cases[0].steps[\($0)]" })
  }

  @Test func anExchangeIsLookedForWhereItStands() async throws {
    let steps = [
      "fault: { how: drop, exchange: event, at: decoy }", "await: { request: event, at: decoy }",
      "await: { request: event, at: api }", "await: { request: any, at: decoy }",
    ]
    #expect(
      findings("selector-service", of: try await diagnostics(aCase(steps: steps))) == [
        "$.cases[0].steps[0].fault.at: expected 'api', the service of 'event', or 'request: any' and a path, found 'decoy'",
        "$.cases[0].steps[1].await.at: expected 'api', the service of 'event', or 'request: any' and a path, found 'decoy'",
      ])
  }

  @Test func aStateIsOfUse() async throws {
    let states = ["a", "b", "c"].map { "  - { state: \($0), text: A, steps: [ { settle: 1s } ], holds: [] }\n" }
      .joined()
    let cases = aCase(steps: ["do: b"]).replacing("    steps", with: "    given: a\n    steps")
    #expect(
      findings("unused-state", of: try await diagnostics(cases, states: states)) == [
        "$.states[2].state: expected a case that begins in 'c' or does it, found none"
      ])
  }

  @Test(arguments: [(29, false), (30, true)])
  func aWordIsWorthHavingOrLeft(count: Int, isJudged: Bool) async throws {
    let advancing = aCase(
      "first", rows: ["row: a, how: { how: drop }", "row: b, how: { how: hang }"],
      steps: ["advance: 1s", "fault: \"${how}\"", "settle: 1s"])
    let others = (2...count).map { number in
      let fault = number < 5 ? ["fault: { how: drop }"] : []
      return aCase(
        "a\(number)", steps: fault + ["await: { request: event, where: { path: { $like: x } } }", "settle: 1s"])
    }
    let found = findings("rare-word", of: try await diagnostics(advancing + others.joined()))
    let expected = [
      "$.cases[0].steps[0]: expected the step 'advance' in 3 places or more, found one",
      "$.cases[0].steps[1].fault: expected the fault 'hang' in 3 places or more, found one",
    ]
    #expect(found == (isJudged ? expected : []))
  }

  private static let definition = """
    kit: 2
    protocol: small
    title: Small
    document: Small
    revision: "1"
    services: [ { name: api, text: A. }, { name: decoy, text: B. } ]
    roles: { sdk: { driver: true, upstream: [api, decoy] }, server: { downstream: [api] } }
    dialects: [spec]

    """

  private static let requirements = """
    kit: 2
    requirements:
      - { id: AA-001, role: sdk, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A. }
      - { id: AA-002, role: server, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A. }

    """

  static let event = """
    {
      "kit": 2, "exchange": "event", "text": "An event.", "at": "api",
      "request": {
        "method": "POST", "path": "/events", "query": { "page": "${page}" },
        "body": { "name": "${name}", "note?": "${note}" }
      },
      "bindings": { "default": { "kind": "x" }, "named": { "name": "y" } },
      "responses": {
        "ok": {
          "any": {
            "status": 200, "headers": { "Link": "<${next}>", "Retry-After?": "${wait}" },
            "body": { "id": "${id}", "kind": "${kind}", "more?": "${rest}" }
          }
        },
        "plain": { "any": { "status": 204 } }
      }
    }
    """
}
