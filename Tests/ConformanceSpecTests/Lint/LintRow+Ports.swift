extension LintRow {
  /// The ports of roles, and the exchanges at their services.
  static let ports = [
    LintRow("unknown-service", Sample.otherCases, "request: event, at: main", "response: ask, at: app"),
    LintRow(
      "unknown-service", Sample.cases, "exchange: event, times: 1 }", "at: app, times: 1 }",
      "spec/sample/cases/events.yaml:26:46: error: $.cases[1].steps[2].fault.at: expected a service of the role sdk: main, found 'app'"
    ),
    LintRow(
      "exchange-port", Sample.cases, "{ send: event, bindings: minimal, as: sent }", "{ send: ask, as: sent }",
      "spec/sample/cases/events.yaml:36:11: error: $.cases[2].steps[0].send: expected an exchange at main, found 'ask', which belongs to 'app'"
    ),
    LintRow(
      "exchange-port", Sample.otherCases, "send: ask, with: { session: \"1\" }", "send: event",
      "spec/sample/cases/others.yaml:8:11: error: $.cases[0].steps[0].send: expected an exchange at app, found 'event', which belongs to 'main'"
    ),
    LintRow(
      "environment", Sample.otherCases, "environment: { online: false }", "environment: { onlin: false }",
      "spec/sample/cases/others.yaml:15:20: error: $.cases[1].environment.onlin: expected a fact of 'surroundings' in protocol.yaml: online, found 'onlin' — did you mean \"online\"?"
    ),
    LintRow(
      "environment", Sample.otherCases, "surroundings: { online: true }", "surroundings: { offline: true }",
      "spec/sample/cases/others.yaml:19:11: error: $.cases[1].steps[1].surroundings: expected a fact of 'surroundings' in protocol.yaml: online, found 'offline' — did you mean \"online\"?"
    ),
    LintRow(
      "environment", Sample.otherCases, "surroundings: { online: true }",
      "restart: { how: kill, environment: { theme: dark } }",
      "spec/sample/cases/others.yaml:19:11: error: $.cases[1].steps[1].restart: expected a fact of 'surroundings' in protocol.yaml: online, found 'theme'"
    ),
    LintRow(
      "role-ports", Sample.definition, "server: { downstream: [main] }", "server: {}",
      "spec/sample/protocol.yaml:11:3: error: $.roles.server: expected 'driver: true', 'upstream' or 'downstream', found no port"
    ),
    LintRow(
      "role-ports", Sample.definition, "server: { downstream: [main] }", "server: { downstream: [man] }",
      "spec/sample/protocol.yaml:11:26: error: $.roles.server.downstream[0]: expected a service of the protocol: app, main, found 'man' — did you mean \"main\"?"
    ),
    LintRow(
      "role-ports", Sample.definition, "backend: { downstream: [app], upstream: [main] }",
      "backend: { downstream: [app], upstream: [app] }",
      "spec/sample/protocol.yaml:12:33: error: $.roles.backend.upstream: expected services that the role does not offer itself, found 'app', which is downstream too"
    ),
    LintRow(
      "exchange-service", Sample.event, "\"at\": \"main\"", "\"at\": \"mian\"",
      "Fixtures/sample/exchanges/event.json:5:3: error: $.at: expected a service of the protocol: app, main, found 'mian' — did you mean \"main\"?"
    ),
    LintRow(
      "exchange-service", Sample.definition, "  - { name: app,", "  - { name: spare, text: x }\n  - { name: app,"),
    LintRow(
      "bound-exchange", Sample.ask, "  \"bound\": true,\n  \"holes\": [\n    \"session\"\n  ],\n", "",
      "Fixtures/sample/exchanges/ask.json:3:3: error: $.exchange: expected 'request', or 'bound: true' and 'holes', found neither"
    ),
    LintRow(
      "bound-exchange", Sample.ask, "  \"bound\": true,\n",
      "  \"bound\": true,\n  \"request\": { \"method\": \"GET\", \"path\": \"/ask\" },\n",
      "Fixtures/sample/exchanges/ask.json:6:3: error: $.bound: expected no request beside 'bound', found one"),
    LintRow(
      "profile-requirements", Sample.definition, "SA-EVT-*", "SA-EVNT-*",
      "spec/sample/protocol.yaml:23:56: error: $.profiles[0].requirements[0]: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVNT-*'"
    ),
    LintRow(
      "includes", Sample.definition, "\nservices:", "\nincludes:\n  - { pack: htp, cases: [event.once] }\nservices:",
      "spec/sample/protocol.yaml:7:7: error: $.includes[0].pack: expected a pack with requirements: a folder beside those of the protocols, such as http, found 'htp'"
    ),
    LintRow(
      "every-request", Sample.requests, nil,
      "kit: 2\nrequests:\n  - { requirement: SA-EVT-001, count: { request: event, is: 1 } }\n",
      "spec/sample/requests.yaml:3:5: error: $.requests[0]: expected 'matches', 'never', 'golden' or an 'any-of' of these about requests without 'after' and 'before', or a check of each request, found 'count'"
    ),
    LintRow(
      "every-request", Sample.requests, nil,
      "kit: 2\nrequests:\n  - { requirement: SA-EVT-001, never: { request: any, after: started } }\n",
      "spec/sample/requests.yaml:3:5: error: $.requests[0]: expected 'matches', 'never', 'golden' or an 'any-of' of these about requests without 'after' and 'before', or a check of each request, found 'never'"
    ),
    LintRow(
      "every-request", Sample.requests, nil,
      "kit: 2\nrequests:\n  - { requirement: SA-EVT-009, matches: { request: evnt, is: { method: POST } } }\n",
      "spec/sample/requests.yaml:3:5: error: $.requests[0]: expected a golden exchange: ask, event, found 'evnt' — did you mean \"event\"?",
      "spec/sample/requests.yaml:3:5: error: $.requests[0]: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-009' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow("unknown-defect", Sample.shapes, nil, "kit: 2\nshapes:\n  SA-EVT-001: [\"0123456789abcdef\"]\n"),
    LintRow(
      "unknown-defect", Sample.shapes, nil, "kit: 2\nshapes:\n  event.twise: [\"0123456789abcdef\"]\n",
      "spec/sample/shapes.yaml:3:3: error: $.shapes['event.twise']: expected a defect of the protocol: event.no-link, event.twice, found 'event.twise' — did you mean \"event.twice\"?"
    ),
    LintRow(
      "unknown-operation", Sample.cases, "call: queueSize, as: size", "operate: makeLnk, as: size",
      "spec/sample/cases/events.yaml:28:11: error: $.cases[1].steps[4].operate: expected a command for operators: makeLink, found 'makeLnk' — did you mean \"makeLink\"?"
    ),
    LintRow("unknown-operation", Sample.cases, "call: queueSize, as: size", "operate: makeLink, as: size"),
    LintRow(
      "unknown-operation", Sample.cases, "call: queueSize, as: size", "operate: queueSize, as: size",
      "spec/sample/cases/events.yaml:28:11: error: $.cases[1].steps[4].operate: expected a command for operators: makeLink, found 'queueSize'"
    ),
  ]
}
