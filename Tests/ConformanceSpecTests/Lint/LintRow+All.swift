extension LintRow {
  static let all = identity + requirements + cases + references + labels + defects + fixtures + strength

  static let identity = [
    LintRow(
      "stray-file", "spec/sample/notes.md", nil, "x",
      "spec/sample/notes.md: warning: $: expected a file of the catalogue in its folder, found one that nobody reads"),
    LintRow(
      "file-name", Sample.definition, "protocol: sample", "protocol: simple",
      "spec/sample/protocol.yaml:1:1: error: $.protocol: expected 'sample', as the folder is called, found 'simple'"),
    LintRow(
      "file-name", Sample.event, "\"exchange\": \"event\"", "\"exchange\": \"events\"",
      "Fixtures/sample/exchanges/event.json:2:3: error: $.exchange: expected 'event', as the file is called, found 'events'"
    ),
    LintRow(
      "file-name", Sample.link, "\"model\": \"Link\"", "\"model\": \"Lnk\"",
      "Fixtures/sample/models/Link.json:2:3: error: $.model: expected 'Link', as the file is called, found 'Lnk'"),
    LintRow(
      "duplicate-id", Sample.requirements, "SA-EVT-004", "SA-EVT-001",
      "spec/sample/requirements/events.yaml:24:5: error: $.requirements[3].id: expected a name of its own, found 'SA-EVT-001', which is also at spec/sample/requirements/events.yaml:2"
    ),
    LintRow(
      "duplicate-id", Sample.defects, "id: event.chunked", "id: event.twice",
      "spec/sample/defects/all.yaml:5:7: error: $.variants[0].id: expected a name of its own, found 'event.twice', which is also at spec/sample/defects/all.yaml:2"
    ),
    LintRow(
      "duplicate-id", Sample.definition, "name: queue-size", "name: events",
      "spec/sample/protocol.yaml:11:7: error: $.capabilities[1].name: expected a name of its own, found 'events', which is also at spec/sample/protocol.yaml:10"
    ),
    LintRow(
      "duplicate-id", Sample.definition, "command: queueSize", "command: trackEvent",
      "spec/sample/protocol.yaml:29:5: error: $.commands[2].command: expected a name of its own, found 'trackEvent', which is also at spec/sample/protocol.yaml:20"
    ),
    LintRow(
      "duplicate-case", Sample.cases, "case: event.answer", "case: event.kept",
      "spec/sample/cases/events.yaml:31:5: error: $.cases[2].case: expected a name of its own, found 'event.kept', which is also at spec/sample/cases/events.yaml:17"
    ),
    LintRow(
      "duplicate-row", Sample.cases, "row: b", "row: a",
      "spec/sample/cases/events.yaml:8:9: error: $.cases[0].rows[1]: expected a name of its own, found 'a', which is also at spec/sample/cases/events.yaml:7"
    ),
  ]

  static let requirements = [
    LintRow(
      "requirement-links", Sample.requirements, "feature: 1\n    level: MUST", "feature: 2\n    level: MUST",
      "spec/sample/requirements/events.yaml:4:5: error: $.requirements[0].feature: expected the number of a feature: 1, found '2' — did you mean \"1\"?"
    ),
    LintRow(
      "requirement-links", Sample.requirements, "condition: queue-size", "condition: queue-siz",
      "spec/sample/requirements/events.yaml:17:5: error: $.requirements[1].condition: expected a capability of the role sdk: events, queue-size, found 'queue-siz' — did you mean \"queue-size\"?"
    ),
    LintRow(
      "requirement-links", Sample.requirements, "position: P-1", "position: P-2",
      "spec/sample/requirements/events.yaml:14:5: error: $.requirements[1].position: expected the id of a position: P-1, found 'P-2' — did you mean \"P-1\"?"
    ),
    LintRow(
      "requirement-links", Sample.requirements, "role: server", "role: backend",
      "spec/sample/requirements/events.yaml:19:5: error: $.requirements[2].role: expected a role of the protocol: sdk, server, found 'backend'"
    ),
    LintRow(
      "position-named", Sample.requirements, "    position: P-1\n", "",
      "spec/sample/requirements/events.yaml:13:5: error: $.requirements[1].basis: expected 'position:' beside the basis position, found none"
    ),
    LintRow(
      "unused-position", Sample.requirements, "    position: P-1\n", "",
      "spec/sample/positions.yaml:2:7: warning: $.positions[0].id: expected a requirement that rests on P-1, found none"
    ),
    LintRow(
      "uncovered-requirement", Sample.requirements, "    untestable: Nothing can be seen of it from outside.\n", "",
      "spec/sample/requirements/events.yaml:24:5: error: $.requirements[3].id: expected a claim about SA-EVT-004, or 'untestable:' with the reason, found neither"
    ),
    LintRow(
      "untestable-claimed", Sample.requirements, "text: An event is sent once.", "text: An event.\n    untestable: x",
      "spec/sample/requirements/events.yaml:9:5: error: $.requirements[0].untestable: expected no claim about an untestable requirement, found one in event.once"
    ),
  ]

  static let cases = [
    LintRow(
      "unknown-requirement", Sample.cases, "requirement: SA-EVT-001, count", "requirement: SA-EVT-011, count",
      "spec/sample/cases/events.yaml:14:11: error: $.cases[0].claims[0].requirement: expected the id of a requirement: SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-011' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "unknown-requirement", Sample.requirements, "text: An event is sent once.", "text: An event.\n    withdrawn: x",
      "spec/sample/cases/events.yaml:14:11: error: $.cases[0].claims[0].requirement: expected a requirement that holds, found SA-EVT-001, which is withdrawn (x)",
      "spec/sample/cases/events.yaml:15:11: error: $.cases[0].claims[1].requirement: expected a requirement that holds, found SA-EVT-001, which is withdrawn (x)"
    ),
    LintRow(
      "claim-role", Sample.cases, "requirement: SA-EVT-003", "requirement: SA-EVT-001",
      "spec/sample/cases/events.yaml:37:11: error: $.cases[2].claims[0].requirement: expected a requirement of the role server, found SA-EVT-001, which binds the role sdk"
    ),
    LintRow(
      "case-role", Sample.definition, "roles: [sdk, server]", "roles: [server]",
      "spec/sample/cases/events.yaml:4:5: error: $.cases[0].role: expected a role of the protocol: server, found 'sdk'",
      "spec/sample/cases/events.yaml:19:5: error: $.cases[1].role: expected a role of the protocol: server, found 'sdk'"
    ),
    LintRow(
      "case-needs", Sample.cases, "needs: [events]", "needs: [event]",
      "spec/sample/cases/events.yaml:5:13: error: $.cases[0].needs[0]: expected a capability of the role sdk: events, queue-size, found 'event' — did you mean \"events\"?"
    ),
    LintRow(
      "provisioning-need", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ call: makeLink, need: either, as: sent }",
      "spec/sample/cases/events.yaml:35:27: error: $.cases[2].steps[0].need: expected succeeds, or nothing, in a case of the role server, found 'either'"
    ),
    LintRow(
      "missing-need", Sample.cases, "needs: [events]", "needs: [queue-size]",
      "spec/sample/cases/events.yaml:11:53: warning: $.cases[0].steps[1].repeat.steps[0]: expected 'events' among the needs of the case, found only [queue-size]"
    ),
    LintRow(
      "dialects", Sample.cases, "dialects: [spec]\n", "dialects: [new]\n",
      "spec/sample/cases/events.yaml:20:5: error: $.cases[1].dialects: expected a dialect of the protocol: old, spec, found 'new'",
      "spec/sample/cases/events.yaml:30:36: error: $.cases[1].claims[1].dialects: expected a dialect of the case: new, found 'spec'"
    ),
    LintRow(
      "dialects", Sample.cases, "dialects: [spec], never", "dialects: [old], never",
      "spec/sample/cases/events.yaml:30:36: error: $.cases[1].claims[1].dialects: expected a dialect of the case: spec, found 'old'"
    ),
    LintRow(
      "dialects", Sample.defects, "dialect: spec", "dialect: specs",
      "spec/sample/defects/all.yaml:3:83: error: $.defects[1].dialect: expected a dialect of the protocol: old, spec, found 'specs' — did you mean \"spec\"?"
    ),
    LintRow(
      "dialects", Sample.event, "\"any\": {", "\"new\": {",
      "Fixtures/sample/exchanges/event.json:26:7: error: $.responses.found.new: expected a dialect of the protocol, or any: any, old, spec, found 'new'"
    ),
    LintRow(
      "ports", Sample.cases, "{ send: event, bindings: minimal, as: sent }", "{ restart: clean }",
      "spec/sample/cases/events.yaml:35:9: error: $.cases[2].steps[0]: expected what the role server has, found a process of its own, which is for the role sdk or backend"
    ),
    LintRow(
      "ports", Sample.cases, "returns: { sent: { status: 200, body: { link: \"${:Link}\" } } }",
      "count: { request: any, is: 1 }",
      "spec/sample/cases/events.yaml:37:36: error: $.cases[2].claims[0].count: expected what the role server has, found requests to a mock server, which is for the role sdk or backend"
    ),
  ]

  static let references = [
    LintRow(
      "unknown-command", Sample.cases, "call: queueSize", "call: queSize",
      "spec/sample/cases/events.yaml:27:11: error: $.cases[1].steps[4].call: expected a command of the role sdk: initialize, onLink, queueSize, trackEvent, found 'queSize' — did you mean \"queueSize\"?"
    ),
    LintRow(
      "unknown-command", Sample.cases, "{ send: event, bindings: minimal, as: sent }", "{ call: queueSize, as: sent }",
      "spec/sample/cases/events.yaml:35:11: error: $.cases[2].steps[0].call: expected a command of the role server: makeLink, found 'queueSize'"
    ),
    LintRow(
      "server-capability", Sample.definition, "errorKinds:",
      "  - { name: states, role: server, required: true, text: x }\nerrorKinds:",
      "spec/sample/protocol.yaml:12:35: error: $.capabilities[2].required: expected false for the role server, found true"
    ),
    LintRow(
      "server-capability", Sample.definition, "errorKinds:",
      "  - { name: states, role: server, required: false, text: x }\nerrorKinds:",
      "spec/sample/protocol.yaml:12:5: error: $.capabilities[2]: expected a command or a value of 'states', or clientAddress, found none: every server would have it"
    ),
    LintRow(
      "command-params", Sample.cases, "with: { name: x }", "with: { nam: x, count: \"${tracked.n}\" }",
      "spec/sample/cases/events.yaml:26:29: error: $.cases[1].steps[3].with.name: expected a text, found nothing",
      "spec/sample/cases/events.yaml:26:37: error: $.cases[1].steps[3].with.nam: expected one of the members name, count, found \"nam\" — did you mean \"name\"?"
    ),
    LintRow(
      "command-params", Sample.cases, "name: x }, as: tracked", "name: \"\" }, as: tracked",
      "spec/sample/cases/events.yaml:26:37: error: $.cases[1].steps[3].with.name: expected a text that is not empty, found \"\""
    ),
    LintRow(
      "command-capability", Sample.definition, "capability: events", "capability: event",
      "spec/sample/protocol.yaml:22:5: error: $.commands[1].capability: expected a capability of the role sdk: events, queue-size, found 'event' — did you mean \"events\"?"
    ),
    LintRow(
      "unknown-exchange", Sample.cases, "exchange: event,", "exchange: evnt,",
      "spec/sample/cases/events.yaml:25:44: error: $.cases[1].steps[2].cut.exchange: expected a golden exchange: event, found 'evnt' — did you mean \"event\"?"
    ),
    LintRow(
      "unknown-exchange", Sample.cases, "never: { request: event,", "never: { request: events,",
      "spec/sample/cases/events.yaml:30:63: error: $.cases[1].claims[1].never.request: expected a golden exchange: event, found 'events' — did you mean \"event\"?"
    ),
    LintRow(
      "unknown-response", Sample.cases, "response: found", "response: fond",
      "spec/sample/cases/events.yaml:24:26: error: $.cases[1].steps[1].response: expected a response of 'event': found, found 'fond' — did you mean \"found\"?"
    ),
    LintRow(
      "unknown-response", Sample.event, "\"any\": {", "\"old\": {",
      "spec/sample/cases/events.yaml:24:26: error: $.cases[1].steps[1].response: expected a response for the dialect spec, in which the case runs, found 'found' without one"
    ),
    LintRow(
      "unknown-bindings", Sample.cases, "bindings: minimal", "bindings: minmal",
      "spec/sample/cases/events.yaml:35:24: error: $.cases[2].steps[0].bindings: expected a set of bindings of 'event': default, minimal, found 'minmal' — did you mean \"minimal\"?"
    ),
    LintRow(
      "unknown-upstream", Sample.cases, "never: { request: event,", "never: { request: event, upstream: \"${up}\",",
      "spec/sample/cases/events.yaml:30:79: error: $.cases[1].claims[1].never.upstream: expected an upstream: decoy, main, found '${up}'"
    ),
    LintRow(
      "unknown-model", Sample.cases, "${:Link}", "${:Lnk}",
      "spec/sample/cases/events.yaml:37:47: error: $.cases[2].claims[0].returns.sent: expected a golden model: Link, found 'Lnk' — did you mean \"Link\"?"
    ),
    LintRow(
      "unknown-model", Sample.event, "${link:Link}", "${link:Lnk}",
      "Fixtures/sample/exchanges/event.json:34:9: error: $.responses.found.any.body: expected a golden model: Link, found 'Lnk' — did you mean \"Link\"?"
    ),
    LintRow(
      "unknown-model", Sample.link, "${:text}", "${:Txt}",
      "Fixtures/sample/models/Link.json:4:3: error: $.template: expected a golden model: Link, found 'Txt'"),
    LintRow(
      "unknown-check", Sample.cases, "never: { request: event, after: size }", "check: { name: knwn }",
      "spec/sample/cases/events.yaml:30:63: error: $.cases[1].claims[1].check.name: expected a check of the pack: known, found 'knwn' — did you mean \"known\"?"
    ),
    LintRow(
      "unknown-error-kind", Sample.cases, "e1: { succeeds: true }", "e1: { fails: netwrk }",
      "spec/sample/cases/events.yaml:15:47: error: $.cases[0].claims[1].returns.e1: expected an error kind of the protocol: network, notInitialized, found 'netwrk' — did you mean \"network\"?"
    ),
    LintRow(
      "unknown-error-kind", Sample.cases, "e1: { succeeds: true }",
      "e1: { one-of: [ { fails: { kind: { one-of: [ x, network ] } } }, null ] }",
      "spec/sample/cases/events.yaml:15:47: error: $.cases[0].claims[1].returns.e1: expected an error kind of the protocol: network, notInitialized, found 'x'"
    ),
  ]

  static let labels = [
    LintRow(
      "duplicate-label", Sample.cases, "as: \"e${n}\"", "as: e1",
      "spec/sample/cases/events.yaml:11:104: error: $.cases[0].steps[1].repeat.steps[0].as: expected a label of its own for every step and every round of a loop, found 'e1' again"
    ),
    LintRow(
      "duplicate-label", Sample.cases, "as: tracked", "as: size",
      "spec/sample/cases/events.yaml:27:28: error: $.cases[1].steps[4].as: expected a label of its own for every step and every round of a loop, found 'size' again"
    ),
    LintRow(
      "unknown-label", Sample.cases, "returns: { e1:", "returns: { e3:",
      "spec/sample/cases/events.yaml:15:47: error: $.cases[0].claims[1].returns.e3: expected the label of a call or a send: e1, e2, found 'e3' — did you mean \"e1\"?",
      "spec/sample/cases/events.yaml:15:47: error: $.cases[0].claims[1].returns.e3: expected the label of a call or a send: e1, found 'e3' — did you mean \"e1\"?"
    ),
    LintRow(
      "unknown-label", Sample.cases, "after: size", "after: siz",
      "spec/sample/cases/events.yaml:30:79: error: $.cases[1].claims[1].never.after: expected the label of a step: size, tracked, found 'siz' — did you mean \"size\"?"
    ),
    LintRow(
      "unknown-label", Sample.cases, "{ await: { request: event, count: \"${sent}\" } }",
      "{ await: { reply: e5 } }\n      - { settle: 1s, as: e5 }",
      "spec/sample/cases/events.yaml:12:20: error: $.cases[0].steps[2].await.reply: expected the label of a call or a send: e1, e2, found 'e5' — did you mean \"e1\"?",
      "spec/sample/cases/events.yaml:12:20: error: $.cases[0].steps[2].await.reply: expected the label of a call or a send: e1, found 'e5' — did you mean \"e1\"?"
    ),
    LintRow(
      "unknown-label", Sample.cases, "returns: { size: 1 }", "returns: { size: \"${other.n}\" }",
      "spec/sample/cases/events.yaml:29:49: error: $.cases[1].claims[0].returns.size: expected the label of a call or a send: size, tracked, found 'other'"
    ),
    LintRow(
      "unbound-hole", Sample.cases, "with: { name: x }", "with: { name: \"${size.x}\" }",
      "spec/sample/cases/events.yaml:26:29: error: $.cases[1].steps[3].with: expected a value for ${size.x}: of a row, a loop or an earlier step, found none"
    ),
    LintRow(
      "unbound-hole", Sample.cases, "url: \"${main.url}\" } }\n      - { answer",
      "url: \"${main.uri}\" } }\n      - { answer",
      "spec/sample/cases/events.yaml:23:29: error: $.cases[1].steps[0].with: expected a value for ${main.uri}: of a row, a loop or an earlier step, found none — did you mean \"main.port\"?"
    ),
    LintRow("unbound-hole", Sample.cases, "with: { name: x }", "with: { name: x, \"count?\": \"${nothing}\" }"),
    LintRow(
      "filled-template", Sample.cases, "with: { name: x }", "with: { name: \"${:text}\" }",
      "spec/sample/cases/events.yaml:26:29: error: $.cases[1].steps[3].with: expected values and named holes, from which a value can be made, found a check or a hole without a name, which can only be held against one"
    ),
    LintRow(
      "unknown-handle", Sample.cases, "never: { request: event, after: size }", "never: { callback: d1 }",
      "spec/sample/cases/events.yaml:30:63: error: $.cases[1].claims[1].never.callback: expected a handle that a call registers, of which there are none, found 'd1'"
    ),
    LintRow(
      "unknown-handle", Sample.cases, "      - { call: queueSize, as: size }\n    claims:",
      "      - { call: queueSize, as: size }\n      - { call: onLink, with: { handle: d1 } }\n    witness: [ { calledBack: { callback: d1 } } ]\n    claims:"
    ),
    LintRow(
      "row-names", Sample.cases, "name: B,", "name: B, nme: C,",
      "spec/sample/cases/events.yaml:8:28: error: $.cases[0].rows[1].nme: expected a step or claim with ${nme}, found none"
    ),
    LintRow(
      "row-names", Sample.cases, "name: B,", "name: B, n: 5, main: 1,",
      "spec/sample/cases/events.yaml:8:28: error: $.cases[0].rows[1].n: expected a name that stands for nothing else in the case, found 'n'",
      "spec/sample/cases/events.yaml:8:34: error: $.cases[0].rows[1].main: expected a name that stands for nothing else in the case, found 'main'"
    ),
  ]

  static let defects = [
    LintRow(
      "defect-requirement", Sample.defects, "breaks: SA-EVT-001", "breaks: SA-EVT-011",
      "spec/sample/defects/all.yaml:2:35: error: $.defects[0].breaks: expected the id of a requirement: SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-011' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "defect-requirement", Sample.defects, "breaks: SA-EVT-001", "breaks: SA-EVT-003",
      "spec/sample/defects/all.yaml:2:35: error: $.defects[0].breaks: expected a requirement of the role sdk, found SA-EVT-003, which binds the role server"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.onc[b]",
      "spec/sample/defects/all.yaml:2:55: error: $.defects[0].noticed: expected the name of a case: event.answer, event.once, event.queued, found 'event.onc' — did you mean \"event.once\"?"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.once[c]",
      "spec/sample/defects/all.yaml:2:55: error: $.defects[0].noticed: expected one of the rows of event.once: a, b, found 'c' — did you mean \"a\"?"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.once",
      "spec/sample/defects/all.yaml:2:55: error: $.defects[0].noticed: expected one of the rows of event.once: a, b, found none"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "noticed: event.answer", "noticed: \"event.answer[a]\"",
      "spec/sample/defects/all.yaml:3:60: error: $.defects[1].noticed: expected no row, since event.answer has no table, found 'a'"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.queued",
      "spec/sample/defects/all.yaml:2:55: error: $.defects[0].noticed: expected a case that makes a claim about SA-EVT-001, found event.queued, which makes none"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "noticed: \"event.once[b]\"", "noticed: event.queued, dialect: old",
      "spec/sample/defects/all.yaml:2:78: error: $.defects[0].dialect: expected a dialect in which event.queued runs, found 'old'"
    ),
  ]

  static let fixtures = [
    LintRow(
      "model-example", Sample.link, "\"code\": \"abc\"", "\"code\": \"\"",
      "Fixtures/sample/models/Link.json:9:7: error: $.examples.full.code: expected a non-empty string, found \"\""),
    LintRow(
      "ambiguous-exchange", "Fixtures/sample/exchanges/other.json", nil, other,
      "Fixtures/sample/exchanges/other.json:1:68: error: $.request.path: expected a method and path of its own, found those of 'event'"
    ),
    LintRow(
      "unused-exchange", "Fixtures/sample/exchanges/other.json", nil, other,
      "Fixtures/sample/exchanges/other.json:1:3: warning: $.exchange: expected a case that uses 'other', found none"),
    LintRow(
      "unused-response", Sample.cases, "response: found", "response: fund",
      "Fixtures/sample/exchanges/event.json:25:5: warning: $.responses.found: expected a case that uses 'found', found none"
    ),
    LintRow(
      "unused-bindings", Sample.cases, "bindings: minimal, ", "",
      "Fixtures/sample/exchanges/event.json:20:5: warning: $.bindings.minimal: expected a case that uses 'minimal', found none"
    ),
    LintRow(
      "unused-model", "Fixtures/sample/models/Other.json", nil, #"{"model": "Other", "text": "x", "template": 1}"#,
      "Fixtures/sample/models/Other.json:1:2: warning: $.model: expected a hole of the kind Other, found none"),
  ]

  private static let other = """
    { "exchange": "other", "text": "x", "request": { "method": "POST", "path": "/event" }, "responses": {} }
    """

  static let strength = [
    LintRow(
      "vacuous-case", Sample.cases, "returns: { size: 1 }", "count: { request: event, is: { at-most: 3 } }",
      "spec/sample/cases/events.yaml:28:5: error: $.cases[1].claims: expected a claim that something happened, or a 'witness:' of it, found only claims that a subject which does nothing fulfils"
    ),
    LintRow(
      "vacuous-case", Sample.cases, "returns: { size: 1 }", "returns: { size: { one-of: [ { fails: network }, 1 ] } }",
      "spec/sample/cases/events.yaml:28:5: error: $.cases[1].claims: expected a claim that something happened, or a 'witness:' of it, found only claims that a subject which does nothing fulfils"
    ),
    LintRow(
      "vacuous-case", Sample.cases, "    claims:\n      - { requirement: [SA-EVT-002], returns: { size: 1 } }",
      "    witness: [ { count: { request: any, is: 1 } } ]\n    claims:\n      - { requirement: SA-EVT-002, returns: { size: { fails: network } } }"
    ),
    LintRow(
      "check-share", Sample.cases, "never: { request: event, after: size }", "check: { name: known }",
      "spec/sample/protocol.yaml:1:1: error: $: expected at most 15 % of the claims to be checks, found 1 of 5"),
    LintRow(
      "fault-fires", Sample.cases, "      - { call: queueSize, as: size }\n",
      "      - { call: queueSize, as: size }\n      - { cut: { how: refuse } }\n",
      "spec/sample/cases/events.yaml:28:9: error: $.cases[1].steps[5]: expected a later step in which the fault can fire, found none"
    ),
  ]
}
