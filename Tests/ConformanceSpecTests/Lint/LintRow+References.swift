extension LintRow {
  /// The last capability of the sample.
  private static let asking = "  - { name: asking, role: backend, required: false, text: Can be asked. }\n"

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
      "spec/sample/cases/events.yaml:31:63: error: $.cases[1].claims[1].check.name: expected a check (conform list checks): known, found 'knwn' — did you mean \"known\"?"
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
}
