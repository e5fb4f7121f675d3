extension LintRow {
  static let cases = [
    LintRow(
      "unknown-requirement", Sample.cases, "requirement: SA-EVT-001, count", "requirement: SA-EVT-011, count",
      "spec/sample/cases/events.yaml:15:11: error: $.cases[0].claims[0].requirement: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-011' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "unknown-requirement", Sample.requirements, "text: An event is sent once.", "text: An event.\n    withdrawn: x",
      "spec/sample/cases/events.yaml:15:11: error: $.cases[0].claims[0].requirement: expected a requirement that holds, found SA-EVT-001, which is withdrawn (x)",
      "spec/sample/cases/events.yaml:16:11: error: $.cases[0].claims[1].requirement: expected a requirement that holds, found SA-EVT-001, which is withdrawn (x)",
      "spec/sample/cases/others.yaml:22:11: error: $.cases[1].claims[0].requirement: expected a requirement that holds, found SA-EVT-001, which is withdrawn (x)"
    ),
    LintRow(
      "claim-role", Sample.cases, "requirement: SA-EVT-003", "requirement: SA-EVT-001",
      "spec/sample/cases/events.yaml:38:11: error: $.cases[2].claims[0].requirement: expected a requirement of the role server, found SA-EVT-001, which binds the role sdk"
    ),
    LintRow(
      "case-role", Sample.definition, "  sdk: { driver: true, upstream: [main] }\n", "",
      "spec/sample/cases/events.yaml:5:5: error: $.cases[0].role: expected a role of the protocol: backend, server, found 'sdk'",
      "spec/sample/cases/events.yaml:20:5: error: $.cases[1].role: expected a role of the protocol: backend, server, found 'sdk'",
      "spec/sample/cases/others.yaml:13:5: error: $.cases[1].role: expected a role of the protocol: backend, server, found 'sdk'"
    ),
    LintRow(
      "case-needs", Sample.cases, "needs: [events]", "needs: [event]",
      "spec/sample/cases/events.yaml:6:13: error: $.cases[0].needs[0]: expected a capability of the role sdk: events, queue-size, found 'event' — did you mean \"events\"?"
    ),
    LintRow(
      "provisioning-need", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ call: makeLink, need: either, as: sent }",
      "spec/sample/cases/events.yaml:36:27: error: $.cases[2].steps[0].need: expected succeeds, or nothing, where no adapter is driven, found 'either'"
    ),
    LintRow(
      "missing-need", Sample.cases, "needs: [events]", "needs: [queue-size]",
      "spec/sample/cases/events.yaml:12:53: warning: $.cases[0].steps[1].repeat.steps[0]: expected 'events' among the needs of the case, found only [queue-size]"
    ),
    // One of the capabilities of a command is enough.
    LintRow("missing-need", Sample.definition, "capability: events", "capability: [queue-size, events]"),
    // A need counts if each of the ways has it, not only one of them.
    LintRow(
      "missing-need", Sample.cases, #"{ await: { request: event, count: "${sent}" } }"#,
      "attempt: { until: { request: event }, ways: { all: [{ call: queueSize }], any: [{ call: queueSize }] } }",
      "spec/sample/cases/events.yaml:13:9: warning: $.cases[0].steps[2]: expected 'queue-size' among the needs of the case, found only [events]"
    ),
    LintRow(
      "missing-need", Sample.cases, #"{ await: { request: event, count: "${sent}" } }"#,
      "attempt: { until: { request: event }, ways: { all: [{ call: queueSize }], any: [{ settle: 1s }] } }"
    ),
    LintRow(
      "dialects", Sample.cases, "dialects: [spec]\n", "dialects: [new]\n",
      "spec/sample/cases/events.yaml:21:5: error: $.cases[1].dialects: expected a dialect of the protocol: old, spec, found 'new'",
      "spec/sample/cases/events.yaml:31:36: error: $.cases[1].claims[1].dialects: expected a dialect of the case: new, found 'spec'"
    ),
    LintRow(
      "dialects", Sample.cases, "dialects: [spec], never", "dialects: [old], never",
      "spec/sample/cases/events.yaml:31:36: error: $.cases[1].claims[1].dialects: expected a dialect of the case: spec, found 'old'"
    ),
    LintRow(
      "dialects", Sample.defects, "dialect: spec", "dialect: specs",
      "spec/sample/defects/all.yaml:4:83: error: $.defects[1].dialect: expected a dialect of the protocol: old, spec, found 'specs' — did you mean \"spec\"?"
    ),
    LintRow(
      "dialects", Sample.event, "\"any\": {", "\"new\": {",
      "Fixtures/sample/exchanges/event.json:28:7: error: $.responses.found.new: expected a dialect of the protocol, or any: any, old, spec, found 'new'"
    ),
    LintRow(
      "ports", Sample.cases, "{ send: event, bindings: minimal, as: sent }", "{ restart: clean }",
      "spec/sample/cases/events.yaml:36:9: error: $.cases[2].steps[0]: expected what the role server has a port for, found an app that is driven"
    ),
    LintRow(
      "ports", Sample.cases, "returns: { sent: { status: 200, body: { link: \"${:Link}\" } } }",
      "count: { request: any, is: 1 }",
      "spec/sample/cases/events.yaml:38:36: error: $.cases[2].claims[0].count: expected what the role server has a port for, found requests to a mock server"
    ),
  ]
}
