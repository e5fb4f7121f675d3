extension LintRow {
  /// The last capability of the sample.
  private static let asking = "  - { name: asking, role: backend, required: false, text: Can be asked. }\n"

  static let all = ports + identity + requirements + cases + references + labels + defects + fixtures + strength

  static let identity = [
    LintRow(
      "stray-file", "spec/sample/notes.md", nil, "x",
      "spec/sample/notes.md: warning: $: expected a file of the catalogue in its folder, found one that nobody reads"),
    LintRow(
      "file-name", Sample.definition, "protocol: sample", "protocol: simple",
      "spec/sample/protocol.yaml:2:1: error: $.protocol: expected 'sample', as the folder is called, found 'simple'"),
    LintRow(
      "file-name", Sample.event, "\"exchange\": \"event\"", "\"exchange\": \"events\"",
      "Fixtures/sample/exchanges/event.json:3:3: error: $.exchange: expected 'event', as the file is called, found 'events'"
    ),
    LintRow(
      "file-name", Sample.link, "\"model\": \"Link\"", "\"model\": \"Lnk\"",
      "Fixtures/sample/models/Link.json:3:3: error: $.model: expected 'Link', as the file is called, found 'Lnk'"),
    LintRow(
      "duplicate-id", Sample.requirements, "SA-EVT-004", "SA-EVT-001",
      "spec/sample/requirements/events.yaml:25:5: error: $.requirements[3].id: expected a name of its own, found 'SA-EVT-001', which is also at spec/sample/requirements/events.yaml:3"
    ),
    LintRow(
      "duplicate-id", Sample.defects, "id: event.chunked", "id: event.twice",
      "spec/sample/defects/all.yaml:6:7: error: $.variants[0].id: expected a name of its own, found 'event.twice', which is also at spec/sample/defects/all.yaml:3"
    ),
    LintRow(
      "duplicate-id", Sample.definition, "name: queue-size", "name: events",
      "spec/sample/protocol.yaml:18:7: error: $.capabilities[1].name: expected a name of its own, found 'events', which is also at spec/sample/protocol.yaml:17"
    ),
    LintRow(
      "duplicate-id", Sample.definition, "command: queueSize", "command: trackEvent",
      "spec/sample/protocol.yaml:43:5: error: $.commands[2].command: expected a name of its own, found 'trackEvent', which is also at spec/sample/protocol.yaml:34"
    ),
    LintRow(
      "duplicate-case", Sample.cases, "case: event.answer", "case: event.kept",
      "spec/sample/cases/events.yaml:32:5: error: $.cases[2].case: expected a name of its own, found 'event.kept', which is also at spec/sample/cases/events.yaml:18"
    ),
    LintRow(
      "duplicate-row", Sample.cases, "row: b", "row: a",
      "spec/sample/cases/events.yaml:9:9: error: $.cases[0].rows[1]: expected a name of its own, found 'a', which is also at spec/sample/cases/events.yaml:8"
    ),
  ]

  static let requirements = [
    LintRow(
      "requirement-links", Sample.requirements, "feature: 1\n    level: MUST", "feature: 2\n    level: MUST",
      "spec/sample/requirements/events.yaml:5:5: error: $.requirements[0].feature: expected the number of a feature: 1, found '2' — did you mean \"1\"?"
    ),
    LintRow(
      "requirement-links", Sample.requirements, "condition: queue-size", "condition: queue-siz",
      "spec/sample/requirements/events.yaml:18:5: error: $.requirements[1].condition: expected a capability of the role sdk: events, queue-size, found 'queue-siz' — did you mean \"queue-size\"?"
    ),
    LintRow(
      "requirement-links", Sample.requirements, "position: P-1", "position: P-2",
      "spec/sample/requirements/events.yaml:15:5: error: $.requirements[1].position: expected the id of a position: P-1, found 'P-2' — did you mean \"P-1\"?"
    ),
    LintRow(
      "requirement-links", Sample.requirements, "role: server", "role: bakend",
      "spec/sample/requirements/events.yaml:20:5: error: $.requirements[2].role: expected a role of the protocol: backend, sdk, server, found 'bakend' — did you mean \"backend\"?"
    ),
    LintRow(
      "position-named", Sample.requirements, "    position: P-1\n", "",
      "spec/sample/requirements/events.yaml:14:5: error: $.requirements[1].basis: expected 'position:' beside the basis position, found none"
    ),
    LintRow(
      "unused-position", Sample.requirements, "    position: P-1\n", "",
      "spec/sample/positions.yaml:3:7: warning: $.positions[0].id: expected a requirement that rests on P-1, found none"
    ),
    LintRow(
      "uncovered-requirement", Sample.requirements, "    untestable: Nothing can be seen of it from outside.\n", "",
      "spec/sample/requirements/events.yaml:25:5: error: $.requirements[3].id: expected a claim about SA-EVT-004, or 'untestable:' with the reason, found neither"
    ),
    LintRow(
      "untestable-claimed", Sample.requirements, "text: An event is sent once.", "text: An event.\n    untestable: x",
      "spec/sample/requirements/events.yaml:10:5: error: $.requirements[0].untestable: expected no claim about an untestable requirement, found one in event.once"
    ),
  ]

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

  static let references = [
    LintRow(
      "unknown-command", Sample.cases, "call: queueSize", "call: queSize",
      "spec/sample/cases/events.yaml:28:11: error: $.cases[1].steps[4].call: expected a command of the role sdk: initialize, onLink, queueSize, trackEvent, found 'queSize' — did you mean \"queueSize\"?"
    ),
    LintRow(
      "unknown-command", Sample.cases, "{ send: event, bindings: minimal, as: sent }", "{ call: queueSize, as: sent }",
      "spec/sample/cases/events.yaml:36:11: error: $.cases[2].steps[0].call: expected a command of the role server: makeLink, found 'queueSize'"
    ),
    LintRow(
      "lent-capability", Sample.definition, asking,
      "\(asking)  - { name: states, role: server, required: true, text: x }\n",
      "spec/sample/protocol.yaml:20:35: error: $.capabilities[3].required: expected false where no adapter is driven, found true"
    ),
    LintRow(
      "lent-capability", Sample.definition, asking,
      "\(asking)  - { name: states, role: server, required: false, text: x }\n",
      "spec/sample/protocol.yaml:20:5: error: $.capabilities[3]: expected a command, a value or a bound exchange of 'states', or clientAddress, found none: every subject would have it"
    ),
    LintRow(
      "command-params", Sample.cases, "with: { name: x }", "with: { nam: x, count: \"${tracked.n}\" }",
      "spec/sample/cases/events.yaml:27:29: error: $.cases[1].steps[3].with.name: expected a text, found nothing",
      "spec/sample/cases/events.yaml:27:37: error: $.cases[1].steps[3].with.nam: expected one of the members name, count, found \"nam\" — did you mean \"name\"?"
    ),
    LintRow(
      "command-params", Sample.cases, "name: x }, need: either, as: tracked", "name: \"\" }, need: either, as: tracked",
      "spec/sample/cases/events.yaml:27:37: error: $.cases[1].steps[3].with.name: expected a text that is not empty, found \"\""
    ),
    LintRow(
      "command-capability", Sample.definition, "capability: events", "capability: event",
      "spec/sample/protocol.yaml:36:5: error: $.commands[1].capability: expected a capability of its roles: events, queue-size, found 'event' — did you mean \"events\"?"
    ),
    LintRow(
      "unknown-exchange", Sample.cases, "exchange: event,", "exchange: evnt,",
      "spec/sample/cases/events.yaml:26:46: error: $.cases[1].steps[2].fault.exchange: expected a golden exchange: ask, event, found 'evnt' — did you mean \"event\"?"
    ),
    LintRow(
      "unknown-exchange", Sample.cases, "never: { request: event,", "never: { request: events,",
      "spec/sample/cases/events.yaml:31:63: error: $.cases[1].claims[1].never.request: expected a golden exchange: ask, event, found 'events' — did you mean \"event\"?"
    ),
    LintRow(
      "unknown-response", Sample.cases, "response: found", "response: fond",
      "spec/sample/cases/events.yaml:25:26: error: $.cases[1].steps[1].response: expected a response of 'event': found, found 'fond' — did you mean \"found\"?"
    ),
    LintRow(
      "unknown-response", Sample.event, "\"any\": {", "\"old\": {",
      "spec/sample/cases/events.yaml:25:26: error: $.cases[1].steps[1].response: expected a response for the dialect spec, in which the case runs, found 'found' without one"
    ),
    LintRow(
      "unknown-bindings", Sample.cases, "bindings: minimal", "bindings: minmal",
      "spec/sample/cases/events.yaml:36:24: error: $.cases[2].steps[0].bindings: expected a set of bindings of 'event': default, minimal, found 'minmal' — did you mean \"minimal\"?"
    ),
    LintRow(
      "unknown-service", Sample.cases, "never: { request: event,", "never: { request: event, at: man,",
      "spec/sample/cases/events.yaml:31:79: error: $.cases[1].claims[1].never.at: expected a service of the role sdk: main, found 'man' — did you mean \"main\"?"
    ),
    LintRow(
      "unknown-model", Sample.cases, "${:Link}", "${:Lnk}",
      "spec/sample/cases/events.yaml:38:47: error: $.cases[2].claims[0].returns.sent: expected a golden model: Link, found 'Lnk' — did you mean \"Link\"?"
    ),
    LintRow(
      "unknown-model", Sample.event, "${link:Link}", "${link:Lnk}",
      "Fixtures/sample/exchanges/event.json:36:9: error: $.responses.found.any.body: expected a golden model: Link, found 'Lnk' — did you mean \"Link\"?"
    ),
    LintRow(
      "unknown-model", Sample.link, "${:text}", "${:Txt}",
      "Fixtures/sample/models/Link.json:5:3: error: $.template: expected a golden model: Link, found 'Txt'"),
    LintRow(
      "unknown-check", Sample.cases, "never: { request: event, after: size }", "check: { name: knwn }",
      "spec/sample/cases/events.yaml:31:63: error: $.cases[1].claims[1].check.name: expected a check of the pack: known, found 'knwn' — did you mean \"known\"?"
    ),
    LintRow(
      "unknown-error-kind", Sample.cases, "e1: { $succeeds: true }", "e1: { $fails: netwrk }",
      "spec/sample/cases/events.yaml:16:47: error: $.cases[0].claims[1].returns.e1: expected an error kind of the protocol: network, notInitialized, found 'netwrk' — did you mean \"network\"?"
    ),
    LintRow(
      "unknown-error-kind", Sample.cases, "e1: { $succeeds: true }",
      "e1: { $one-of: [ { $fails: { kind: { $one-of: [ x, network ] } } }, null ] }",
      "spec/sample/cases/events.yaml:16:47: error: $.cases[0].claims[1].returns.e1: expected an error kind of the protocol: network, notInitialized, found 'x'"
    ),
  ]

  static let labels = [
    LintRow(
      "duplicate-label", Sample.cases, "as: \"e${n}\"", "as: e1",
      "spec/sample/cases/events.yaml:12:104: error: $.cases[0].steps[1].repeat.steps[0].as: expected a label of its own for every step and every round of a loop, found 'e1' again"
    ),
    LintRow(
      "duplicate-label", Sample.cases, "as: tracked", "as: size",
      "spec/sample/cases/events.yaml:28:28: error: $.cases[1].steps[4].as: expected a label of its own for every step and every round of a loop, found 'size' again"
    ),
    LintRow(
      "unknown-label", Sample.cases, "returns: { e1:", "returns: { e3:",
      "spec/sample/cases/events.yaml:16:47: error: $.cases[0].claims[1].returns.e3: expected the label of a call or a send: e1, e2, found 'e3' — did you mean \"e1\"?",
      "spec/sample/cases/events.yaml:16:47: error: $.cases[0].claims[1].returns.e3: expected the label of a call or a send: e1, found 'e3' — did you mean \"e1\"?"
    ),
    LintRow(
      "unknown-label", Sample.cases, "after: size", "after: siz",
      "spec/sample/cases/events.yaml:31:79: error: $.cases[1].claims[1].never.after: expected the label of a step: size, tracked, found 'siz' — did you mean \"size\"?"
    ),
    LintRow(
      "unknown-label", Sample.cases, "{ await: { request: event, count: \"${sent}\" } }",
      "{ await: { reply: e5 } }\n      - { settle: 1s, as: e5 }",
      "spec/sample/cases/events.yaml:13:20: error: $.cases[0].steps[2].await.reply: expected the label of a call or a send: e1, e2, found 'e5' — did you mean \"e1\"?",
      "spec/sample/cases/events.yaml:13:20: error: $.cases[0].steps[2].await.reply: expected the label of a call or a send: e1, found 'e5' — did you mean \"e1\"?"
    ),
    LintRow(
      "unknown-label", Sample.cases, "returns: { size: 1 }", "returns: { size: \"${other.n}\" }",
      "spec/sample/cases/events.yaml:30:49: error: $.cases[1].claims[0].returns.size: expected the label of a call or a send: size, tracked, found 'other'"
    ),
    LintRow(
      "unbound-hole", Sample.cases, "with: { name: x }", "with: { name: \"${size.x}\" }",
      "spec/sample/cases/events.yaml:27:29: error: $.cases[1].steps[3].with: expected a value for ${size.x}: of a row, a loop or an earlier step, found none"
    ),
    LintRow(
      "unbound-hole", Sample.cases, "url: \"${main.url}\" } }\n      - { answer",
      "url: \"${main.uri}\" } }\n      - { answer",
      "spec/sample/cases/events.yaml:24:29: error: $.cases[1].steps[0].with: expected a value for ${main.uri}: of a row, a loop or an earlier step, found none — did you mean \"main.host\"?"
    ),
    LintRow("unbound-hole", Sample.cases, "with: { name: x }", "with: { name: x, \"count?\": \"${nothing}\" }"),
    LintRow(
      "filled-template", Sample.cases, "with: { name: x }", "with: { name: \"${:text}\" }",
      "spec/sample/cases/events.yaml:27:29: error: $.cases[1].steps[3].with: expected values and named holes, from which a value can be made, found a check or a hole without a name, which can only be held against one"
    ),
    LintRow(
      "unknown-handle", Sample.cases, "never: { request: event, after: size }", "never: { callback: d1 }",
      "spec/sample/cases/events.yaml:31:63: error: $.cases[1].claims[1].never.callback: expected a handle that a call registers, of which there are none, found 'd1'"
    ),
    LintRow(
      "unknown-handle", Sample.cases, "      - { call: queueSize, as: size }\n    claims:",
      "      - { call: queueSize, as: size }\n      - { call: onLink, with: { handle: d1 } }\n    witness: [ { called-back: { callback: d1 } } ]\n    claims:"
    ),
    LintRow(
      "row-names", Sample.cases, "name: B,", "name: B, nme: C,",
      "spec/sample/cases/events.yaml:9:28: error: $.cases[0].rows[1].nme: expected a step or claim with ${nme}, found none"
    ),
    LintRow(
      "row-names", Sample.cases, "name: B,", "name: B, n: 5, main: 1,",
      "spec/sample/cases/events.yaml:9:28: error: $.cases[0].rows[1].n: expected a name that stands for nothing else in the case, found 'n'",
      "spec/sample/cases/events.yaml:9:34: error: $.cases[0].rows[1].main: expected a name that stands for nothing else in the case, found 'main'"
    ),
  ]

  static let defects = [
    LintRow(
      "defect-requirement", Sample.defects, "breaks: SA-EVT-001", "breaks: SA-EVT-011",
      "spec/sample/defects/all.yaml:3:35: error: $.defects[0].breaks: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-011' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "defect-requirement", Sample.defects, "breaks: SA-EVT-001", "breaks: SA-EVT-003",
      "spec/sample/defects/all.yaml:3:35: error: $.defects[0].breaks: expected a requirement of the role sdk, found SA-EVT-003, which binds the role server"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.onc[b]",
      "spec/sample/defects/all.yaml:3:55: error: $.defects[0].noticed: expected the name of a case: app.asked, event.answer, event.once, event.online, event.queued, found 'event.onc' — did you mean \"event.once\"?"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.once[c]",
      "spec/sample/defects/all.yaml:3:55: error: $.defects[0].noticed: expected one of the rows of event.once: a, b, found 'c' — did you mean \"a\"?"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.once",
      "spec/sample/defects/all.yaml:3:55: error: $.defects[0].noticed: expected one of the rows of event.once: a, b, found none"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "noticed: event.answer", "noticed: \"event.answer[a]\"",
      "spec/sample/defects/all.yaml:4:60: error: $.defects[1].noticed: expected no row, since event.answer has no table, found 'a'"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "event.once[b]", "event.queued",
      "spec/sample/defects/all.yaml:3:55: error: $.defects[0].noticed: expected a case that makes a claim about SA-EVT-001, found event.queued, which makes none"
    ),
    LintRow(
      "defect-noticed", Sample.defects, "noticed: \"event.once[b]\"", "noticed: event.queued, dialect: old",
      "spec/sample/defects/all.yaml:3:78: error: $.defects[0].dialect: expected a dialect in which event.queued runs, found 'old'"
    ),
  ]

  static let fixtures = [
    LintRow(
      "model-example", Sample.link, "\"code\": \"abc\"", "\"code\": \"\"",
      "Fixtures/sample/models/Link.json:10:7: error: $.examples.full.code: expected a non-empty string, found \"\""),
    LintRow(
      "swallowed-exchange", "Fixtures/sample/exchanges/other.json", nil, other,
      "Fixtures/sample/exchanges/other.json:1:61: error: $.request: expected a service, method, path or fixed query of its own, found requests that 'event' is asked first for"
    ),
    LintRow(
      "unused-exchange", "Fixtures/sample/exchanges/other.json", nil, other,
      "Fixtures/sample/exchanges/other.json:1:13: warning: $.exchange: expected a case that uses 'other', found none"),
    LintRow(
      "unused-response", Sample.cases, "response: found", "response: fund",
      "Fixtures/sample/exchanges/event.json:27:5: warning: $.responses.found: expected a case that uses 'found', found none"
    ),
    LintRow(
      "unused-bindings", Sample.cases, "bindings: minimal, ", "",
      "Fixtures/sample/exchanges/event.json:22:5: warning: $.bindings.minimal: expected a case that uses 'minimal', found none"
    ),
    LintRow(
      "unused-model", "Fixtures/sample/models/Other.json", nil,
      #"{"kit": 2, "model": "Other", "text": "x", "template": 1}"#,
      "Fixtures/sample/models/Other.json:1:12: warning: $.model: expected a hole of the kind Other, found none"),
  ]

  private static let other = """
    { "kit": 2, "exchange": "other", "text": "x", "at": "main", "request": { "method": "POST", "path": "/event" }, "responses": {} }
    """

  static let strength = [
    LintRow(
      "vacuous-case", Sample.cases, "returns: { size: 1 }", "count: { request: event, is: { $at-most: 3 } }",
      "spec/sample/cases/events.yaml:29:5: error: $.cases[1].claims: expected a claim that something happened, or a 'witness:' of it, found only claims that a subject which does nothing fulfils"
    ),
    LintRow(
      "vacuous-case", Sample.cases, "returns: { size: 1 }",
      "returns: { size: { $one-of: [ { $fails: network }, 1 ] } }",
      "spec/sample/cases/events.yaml:29:5: error: $.cases[1].claims: expected a claim that something happened, or a 'witness:' of it, found only claims that a subject which does nothing fulfils"
    ),
    LintRow(
      "vacuous-case", Sample.cases, "    claims:\n      - { requirement: [SA-EVT-002], returns: { size: 1 } }",
      "    witness: [ { count: { request: any, is: 1 } } ]\n    claims:\n      - { requirement: SA-EVT-002, returns: { size: { $fails: network } } }"
    ),
    LintRow(
      "check-share", Sample.otherCases, nil,
      "      - { requirement: SA-EVT-001, check: { name: known } }\n      - { requirement: SA-EVT-001, check: { name: known } }\n",
      "spec/sample/protocol.yaml:1:1: error: $: expected at most 15 % of the claims to be checks, found 2 of 9"),
    LintRow(
      "fault-fires", Sample.cases, "      - { call: queueSize, as: size }\n",
      "      - { call: queueSize, as: size }\n      - { fault: { how: refuse } }\n",
      "spec/sample/cases/events.yaml:29:9: error: $.cases[1].steps[5]: expected a later step in which the fault can fire, found none"
    ),
  ]

  /// What a role is plugged into, and what stands at its services.
  static let ports = [
    LintRow("unknown-service", Sample.otherCases, "request: event, at: main", "response: ask, at: app"),
    LintRow(
      "unknown-service", Sample.cases, "exchange: event, times: 1 }", "at: app, times: 1 }",
      "spec/sample/cases/events.yaml:26:46: error: $.cases[1].steps[2].fault.at: expected a service of the role sdk: main, found 'app'"
    ),
    LintRow(
      "exchange-port", Sample.cases, "{ send: event, bindings: minimal, as: sent }", "{ send: ask, as: sent }",
      "spec/sample/cases/events.yaml:36:11: error: $.cases[2].steps[0].send: expected an exchange at main, found 'ask', which stands at 'app'"
    ),
    LintRow(
      "exchange-port", Sample.otherCases, "send: ask, with: { session: \"1\" }", "send: event",
      "spec/sample/cases/others.yaml:8:11: error: $.cases[0].steps[0].send: expected an exchange at app, found 'event', which stands at 'main'"
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
