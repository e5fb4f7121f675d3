import ConformanceSpec
import Testing

@testable import Lint

/// The diagnostics of lint for parts of a protocol that no case uses.
@Suite struct ReachRuleTests {
  /// The lint rules that are tested here, on a catalogue of their own.
  static let rules: Set<String> = [
    "uncalled-command", "unset-parameter", "unneeded-capability", "unset-surrounding", "unexpected-error",
    "unused-fault", "unmet-status",
  ]

  /// A part that no case uses, and a case that uses it.
  struct Row: Sendable, CustomTestStringConvertible {
    var rule: String
    var name: String
    var finding: String
    var more = ""
    var steps: [String] = []
    var claim = "count: { request: event, is: 1 }"
    var testDescription: String { "\(rule): \(name)" }
  }

  static let rows = [
    Row(
      rule: "uncalled-command", name: "stop", finding: "$.commands[1].command: expected a case that calls 'stop'",
      steps: ["call: stop"]),
    Row(
      rule: "unset-parameter", name: "start.mode",
      finding: "$.commands[0].params.properties.mode: expected a case that calls 'start' with 'mode'",
      steps: ["call: start, with: { mode: fast }"]),
    Row(
      rule: "unneeded-capability", name: "shiny",
      finding: "$.capabilities[0].name: expected a case that needs 'shiny'", more: "needs: [shiny]"),
    Row(
      rule: "unset-surrounding", name: "online", finding: "$.surroundings[0].name: expected a case that sets 'online'",
      steps: ["surroundings: { online: false }"]),
    Row(
      rule: "unset-surrounding", name: "online", finding: "$.surroundings[0].name: expected a case that sets 'online'",
      more: "environment: { online: false }"),
    Row(
      rule: "unexpected-error", name: "network",
      finding: "$.errorKinds[0]: expected a claim that a command fails as 'network'",
      steps: ["call: start, need: either, as: started"],
      claim: "count: { request: event, is: 1 } }, { requirement: AA-001, returns: { started: { $fails: network } }"),
    Row(
      rule: "unused-fault", name: "sdk hang",
      finding: "$.roles.sdk: expected a case of the role sdk with the fault 'hang'",
      steps: ["fault: { how: hang, exchange: event }"]),
    Row(
      rule: "unmet-status", name: "event odd",
      finding: "$.exchange: expected a case in which 'event' is answered with a 2xx that is not its usual one",
      steps: ["answer: event, response: plain"]),
    Row(
      rule: "unmet-status", name: "event redirect",
      finding: "$.exchange: expected a case in which 'event' is answered with a 3xx",
      steps: ["fault: { how: redirect, status: 302, location: /x, exchange: event }"]),
    Row(
      rule: "unmet-status", name: "event refused",
      finding: "$.exchange: expected a case in which 'event' is answered with a 4xx",
      steps: ["answer: event, response: plain, status: 404"]),
    Row(
      rule: "unmet-status", name: "event failed",
      finding: "$.exchange: expected a case in which 'event' is answered with a 5xx",
      steps: ["fault: { how: status, status: 503, exchange: event }"]),
    Row(
      rule: "unmet-status", name: "event half",
      finding: "$.exchange: expected a case in which 'event' is answered with half a body",
      steps: ["answer: event, response: half"]),
  ]

  private func found(
    _ rule: String, cases: Int = 30, with row: Row? = nil, notes: String? = nil
  ) async throws -> [String] {
    var text = "kit: 2\ncases:\n"
    for number in 1...cases {
      let remedy = number == 1 ? row : nil
      let steps = ["call: start"] + (remedy?.steps ?? []) + ["settle: 1s"]
      text += "  - case: a\(number)\n    title: A\n    role: sdk\n"
      if let more = remedy?.more, !more.isEmpty { text += "    \(more)\n" }
      text += "    steps:\n" + steps.map { "      - { \($0) }\n" }.joined()
      text +=
        "    claims: [ { requirement: AA-001, \(remedy?.claim ?? Row(rule: "", name: "", finding: "").claim) } ]\n"
    }
    var files = [
      "spec/small/protocol.yaml": Self.definition, "spec/small/requirements/a.yaml": SmallProtocol.oneRequirement,
      "spec/small/cases/a.yaml": text, "Fixtures/small/exchanges/event.json": Self.event,
    ]
    files["spec/small/coverage.yaml"] = notes
    let all = await Linter.lint(CatalogueFolder(texts: files), protocol: "small", schemas: try Sample.schemas.get())
    #expect(all.allSatisfy { $0.severity == .warning }, "\(all)")
    return all.filter { $0.rule == rule }.map { "\($0.field): expected \($0.expected)" }
  }

  @Test(arguments: rows)
  func whatNoCaseUsesIsTold(row: Row) async throws {
    #expect(try await found(row.rule).contains(row.finding))
    #expect(try await found(row.rule, with: row).contains(row.finding) == false)
    #expect(try await found(row.rule, cases: 29) == [])
  }

  @Test(arguments: rows)
  func aReasonWillDoWhileItIsNeeded(row: Row) async throws {
    let notes = "kit: 2\nunused: [ { rule: \(row.rule), of: \(row.name), reason: Nobody can. } ]\n"
    #expect(try await found(row.rule, notes: notes).contains(row.finding) == false)
    #expect(try await found("stale-reason", notes: notes) == [])
    #expect(
      try await found("stale-reason", with: row, notes: notes) == [
        "$.unused[0].of: expected something that '\(row.rule)' would find"
      ])
  }

  private static let definition = """
    kit: 2
    protocol: small
    title: Small
    document: Small
    revision: "1"
    services: [ { name: api, text: A. } ]
    roles: { sdk: { driver: true, upstream: [api] } }
    dialects: [spec]
    capabilities: [ { name: shiny, required: false, text: A. } ]
    errorKinds: [network]
    surroundings: [ { name: online, text: A., schema: { type: boolean } } ]
    commands:
      - command: start
        text: A.
        params: { type: object, properties: { mode: { type: string } } }
        result: { type: "null" }
      - { command: stop, text: A., params: { type: object }, result: { type: "null" } }

    """

  private static let event = """
    {
      "kit": 2, "exchange": "event", "text": "An event.", "at": "api",
      "request": { "method": "POST", "path": "/events" },
      "responses": {
        "default": { "any": { "status": 200, "body": {} } }, "plain": { "any": { "status": 204 } },
        "half": { "any": { "status": 200, "text": "{\\"id\\":" } }
      }
    }
    """
}
