extension LintRow {
  /// Values that nothing can be, and what checks take.
  static let values = [
    LintRow(
      "check-params", Sample.cases, "never: { request: event, after: size }",
      "check: { name: known, with: { after: siz } }",
      "spec/sample/cases/events.yaml:31:84: error: $.cases[1].claims[1].check.with.after: expected the label of a step: size, tracked, found \"siz\" — did you mean \"size\"?"
    ),
    LintRow(
      "check-params", Sample.cases, "never: { request: event, after: size }",
      "any-of: [ { check: { name: known, with: { aftr: size } } }, { never: { request: event } } ]",
      "spec/sample/cases/events.yaml:31:96: error: $.cases[1].claims[1].any-of[0].check.with.aftr: expected one of the members after, found 'aftr' — did you mean \"after\"?"
    ),
    LintRow(
      "surrounding-value", Sample.otherCases, "environment: { online: false }", "environment: { online: 0 }",
      "spec/sample/cases/others.yaml:15:20: error: $.cases[1].environment.online: expected true or false, found 0"),
    LintRow(
      "surrounding-value", Sample.otherCases, "surroundings: { online: true }", "surroundings: { online: \"no\" }",
      "spec/sample/cases/others.yaml:19:27: error: $.cases[1].steps[1].surroundings.online: expected true or false, found \"no\""
    ),
    LintRow(
      "surrounding-value", Sample.otherCases, "surroundings: { online: true }",
      "surroundings: { online: \"${now}\" }"),
    LintRow(
      "launch-hole", Sample.otherCases, "environment: { online: false }", "environment: { online: \"${now}\" }",
      "spec/sample/cases/others.yaml:15:20: error: $.cases[1].environment.online: expected a value, or a hole that a row fills, found \"${now}\""
    ),
    LintRow(
      "number-template", Sample.otherCases, "count: { request: event, is: 1 }", "count: { request: event, is: \"1\" }",
      "spec/sample/cases/others.yaml:22:61: error: $.cases[1].claims[0].count.is: expected a number, or operators that hold for numbers, found \"1\""
    ),
    LintRow(
      "number-template", Sample.otherCases, "count: { request: event, is: 1 }",
      "count: { request: event, is: { $one-of: [1, \"2\", { $at-least: 4 }] } }"),
    LintRow(
      "client-address", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ send: event, bindings: minimal, from: 10.0.0.1, as: sent }",
      "spec/sample/cases/events.yaml:36:43: error: $.cases[2].steps[0].from: expected a capability with 'clientAddress: true' of the role server, found none in protocol.yaml"
    ),
    LintRow(
      "own-assumption", Sample.otherCases,
      "    claims:\n      - { requirement: SA-EVT-001, count: { request: event, is: 1 } }",
      "    assumes: [ { requirement: SA-EVT-001, never: { closed: any } } ]\n    claims:\n      - { requirement: SA-EVT-001, count: { request: event, is: 1 } }",
      "spec/sample/cases/others.yaml:21:18: error: $.cases[1].assumes[0].requirement: expected a rule that others of the case's claims need, found 'SA-EVT-001', which is all that it claims"
    ),
    LintRow(
      "line-size", Sample.otherCases, "call: trackEvent, with: { name: x }",
      "call: trackEvent, with: { name: { $repeat: aaaaaaaa, times: 2000000 } }",
      "spec/sample/cases/others.yaml:18:29: error: $.cases[1].steps[0].with: expected parameters of less than 8 MiB, found more"
    ),
    LintRow(
      "tls-services", Sample.cases, "dialects: [spec]\n    needs:", "dialects: [spec]\n    tls: [other]\n    needs:",
      "spec/sample/cases/events.yaml:22:5: error: $.cases[1].tls: expected a capability with 'trust: true' of the role sdk, found none in protocol.yaml",
      "spec/sample/cases/events.yaml:22:5: error: $.cases[1].tls: expected a service that the kit plays for the subject, found 'other'"
    ),
    LintRow(
      "tls-fault", Sample.cases, "{ how: status, status: 503, exchange: event, times: 1 }",
      "{ how: tls, certificate: expired, at: main }",
      "spec/sample/cases/events.yaml:26:9: error: $.cases[1].steps[2]: expected a service among those of the case's 'tls', found 'main', which speaks plain HTTP"
    ),
    LintRow(
      "drawn-values", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ explore: { runs: 1, operations: 1, draw: [ { send: event, with: { nme: x } } ] }, as: sent }",
      "spec/sample/cases/events.yaml:36:54: error: $.cases[2].steps[0].explore.draw[0]: expected a value for ${name} in 'with', found none",
      "spec/sample/cases/events.yaml:36:77: error: $.cases[2].steps[0].explore.draw[0].with.nme: expected a hole of the request of 'event': name, found 'nme' — did you mean \"name\"?"
    ),
    LintRow(
      "drawn-start", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ explore: { runs: 1, operations: 1, draw: [ { send: event, with: { name: \"${n}\" }, keep: { n: $.link.code } } ] }, as: sent }",
      "spec/sample/cases/events.yaml:36:46: error: $.cases[2].steps[0].explore.draw: expected an operation that needs nothing of another's answer, found none: nothing could ever be drawn"
    ),
  ]
}
