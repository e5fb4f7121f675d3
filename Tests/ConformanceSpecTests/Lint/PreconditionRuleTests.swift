import ConformanceSpec
import Testing

/// The diagnostics of lint for cases, states and capabilities that ask for more than the documents promise.
@Suite struct PreconditionRuleTests {
  /// The lint rules that are tested here.
  static let rules: Set<String> = [
    "doubly-negated", "capability-requirements", "state-on-position", "early-callback", "claim-of-several",
    "early-requirement", "needed-registration", "exact-witness", "wire-claim", "set-up-answer",
  ]

  /// A change of the sample, and the resulting diagnostic.
  struct Row: Sendable, CustomTestStringConvertible {
    var rule: String
    /// The changed passages: the file, the old text, and the new text.
    var changes: [(path: String, old: String, new: String)]
    /// The only finding; `nil` for none.
    var finding: String?
    var testDescription: String { "\(rule): \(finding ?? "nothing")" }
  }

  private static let moments = (
    Sample.definition, "secrets: [apiKey]\n",
    "secrets: [apiKey]\nmoments: { set-up: [initialize], early: [SA-EVT-001] }\n"
  )
  private static let callback = (
    Sample.definition, "  - command: makeLink", "    callback: { type: object }\n  - command: makeLink"
  )
  private static let registration = (
    Sample.cases, "      - { answer: event,",
    "      - { call: onLink, with: { handle: link } }\n      - { answer: event,"
  )
  private static let earlyRegistration = (
    Sample.cases, "      - { call: initialize, with: { url: \"${main.url}\" } }\n      - { answer: event,",
    "      - { call: onLink, with: { handle: link } }\n      - { call: initialize, with: { url: \"${main.url}\" } }\n"
      + "      - { answer: event,"
  )

  private static let setUp = "      - { call: initialize, with: { url: \"${main.url}\" } }\n"
  private static let answer = "      - { answer: event, response: found, with: { link: { code: abc } } }\n"

  private static func witness(_ number: String) -> (path: String, old: String, new: String) {
    (
      Sample.cases, "      - { call: queueSize, as: size }\n",
      "      - { call: queueSize, as: size }\n    witness: [ { count: { request: event, is: \(number) } } ]\n"
    )
  }

  static let rows = [
    Row(
      rule: "doubly-negated",
      changes: [
        (
          Sample.requirements, "level: MUST\n    basis: stated\n    source: { section: \"3\"",
          "level: MUST NOT\n    basis: stated\n    source: { section: \"3\""
        )
      ],
      finding: "expected a sentence that says 'MUST NOT' once and names what is forbidden, found 'An event is answered"),
    Row(
      rule: "doubly-negated",
      changes: [
        (
          Sample.requirements, "level: MUST\n    basis: stated\n    source: { section: \"3\"",
          "level: MUST NOT\n    basis: stated\n    source: { section: \"3\""
        ),
        (Sample.requirements, "An event is answered with a link.", "The server MUST NOT answer with a link."),
      ], finding: nil),
    Row(
      rule: "doubly-negated",
      changes: [
        (
          Sample.requirements, "level: MUST\n    basis: stated\n    source: { section: \"3\"",
          "level: MUST NOT\n    basis: stated\n    source: { section: \"3\""
        ),
        (Sample.requirements, "An event is answered with a link.", "The server MUST NOT fail to send nothing."),
      ], finding: "found 'The server MUST NOT fail to send nothing.'"),
    Row(
      rule: "doubly-negated",
      changes: [
        (
          Sample.requirements, "level: MUST\n    basis: stated\n    source: { section: \"3\"",
          "level: MUST NOT\n    basis: stated\n    source: { section: \"3\""
        ),
        (Sample.requirements, "An event is answered with a link.", "The server MUST NOT send nothing."),
      ], finding: "found 'The server MUST NOT send nothing.'"),
    Row(
      rule: "capability-requirements", changes: [(Sample.definition, ", requirements: [SA-EVT-001] }", " }")],
      finding: "expected 'requirements:' with what an SDK without 'events' violates, found none"),
    Row(
      rule: "capability-requirements",
      changes: [(Sample.definition, "requirements: [SA-EVT-001] }", "requirements: [SA-EVT-009] }")],
      finding: "found 'SA-EVT-009' — did you mean"),
    Row(
      rule: "capability-requirements",
      changes: [(Sample.definition, "requirements: [SA-EVT-001] }", "requirements: [SA-EVT-003] }")],
      finding: "expected a requirement that a case claims which needs 'events', found SA-EVT-003"),
    Row(
      rule: "state-on-position", changes: [(Sample.states, "requirement: SA-EVT-001", "requirement: SA-EVT-002")],
      finding: "expected requirements that a document states, found SA-EVT-002, a position"),
    Row(
      rule: "claim-of-several",
      changes: [(Sample.cases, "requirement: [SA-EVT-002]", "requirement: [SA-EVT-002, SA-EVT-001]")],
      finding: "expected one requirement, found 2"),
    Row(
      rule: "claim-of-several",
      changes: [
        (Sample.cases, "{ row: a, name: A, sent: 1 }", "{ row: a, name: A, sent: 1, of: SA-EVT-001 }"),
        (Sample.cases, "{ row: b, name: B, sent: 2 }", "{ row: b, name: B, sent: 2, of: [SA-EVT-001, SA-EVT-002] }"),
        (Sample.cases, "{ requirement: SA-EVT-001, returns:", "{ requirement: \"${of}\", returns:"),
      ], finding: "$.cases[0].claims[1].requirement: expected one requirement, found 2"),
    Row(
      rule: "wire-claim",
      changes: [(Sample.otherCases, "with: { name: x }, need: either }", "with: { name: x } }")],
      finding: "expected 'need: either' where the claims are about requests, found 'trackEvent' without it"),
    Row(
      rule: "set-up-answer",
      changes: [
        moments,
        (Sample.states, "      - { call: initialize", answer + "      - { call: initialize"),
        (Sample.cases, setUp + answer, answer + setUp),
      ],
      finding: "$.cases[0].steps[0]: expected a step 'answer: event' before the set-up, as in the states, found none"),
    Row(
      rule: "early-callback",
      changes: [
        moments, callback,
        (
          Sample.cases, "      - { call: queueSize, as: size }\n",
          "      - { call: queueSize, as: size }\n      - restart: clean\n"
            + "      - { call: onLink, with: { handle: link } }\n" + setUp
        ),
      ], finding: "$.cases[1].steps[6]: expected the callback to be registered after initialize"),
    Row(
      rule: "early-callback",
      changes: [
        moments, callback,
        (
          Sample.cases, setUp + answer,
          "      - together: [ { call: onLink, with: { handle: link } } ]\n" + setUp + answer
        ),
      ], finding: "expected the callback to be registered after initialize, found 'onLink' before it"),
    Row(
      rule: "early-callback",
      changes: [
        moments, callback,
        (
          Sample.cases, setUp + answer,
          "      - together: [ { call: onLink, with: { handle: link } }, "
            + "{ call: initialize, with: { url: \"${main.url}\" } } ]\n" + answer
        ),
      ], finding: nil),
    Row(
      rule: "early-callback", changes: [moments, callback, earlyRegistration],
      finding: "expected the callback to be registered after initialize, found 'onLink' before it"),
    Row(rule: "early-callback", changes: [moments, callback, registration], finding: nil),
    Row(
      rule: "needed-registration", changes: [callback, registration],
      finding: "expected 'need: either' where a callback is registered, found 'onLink' without it"),
    Row(
      rule: "needed-registration",
      changes: [
        callback,
        (
          registration.0, registration.1,
          registration.2.replacing("{ handle: link } }", with: "{ handle: link }, need: either }")
        ),
      ], finding: nil),
    Row(
      rule: "exact-witness", changes: [witness("1")], finding: "expected { $at-least: 1 }, found 1"),
    Row(rule: "exact-witness", changes: [witness("{ $at-least: 1 }")], finding: nil),
    Row(rule: "exact-witness", changes: [witness("0")], finding: nil),
    Row(
      rule: "early-requirement",
      changes: [(moments.0, moments.1, moments.2.replacing("SA-EVT-001", with: "SA-EVT-009"))],
      finding: "expected the id of a requirement"),
  ]

  @Test(arguments: rows) func findsWhatItIsFor(row: Row) async throws {
    var sample = Sample()
    for change in row.changes { sample = try sample.replacing(change.old, with: change.new, in: change.path) }
    let diagnostics = try await sample.lint()
    let found = diagnostics.filter { $0.rule == row.rule }.map(\.description)
    guard let finding = row.finding else {
      #expect(found == [])
      return
    }
    #expect(found.count == 1 && found[0].contains(finding), "\(diagnostics.map { "\($0.rule): \($0)" })")
  }
}
