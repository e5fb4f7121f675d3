extension LintRow {
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
      "host-requirement", Sample.definition, "roles:\n",
      "hosts:\n  - { host: localhost, requirement: SA-EVT-009 }\nroles:\n",
      "spec/sample/protocol.yaml:10:24: error: $.hosts[0].requirement: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-009' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "rests-on-itself", Sample.requirements, "condition: queue-size",
      "condition: queue-size\n    restsOn: [SA-EVT-002]",
      "spec/sample/requirements/events.yaml:19:5: error: $.requirements[1].restsOn: expected rules that SA-EVT-002 rests on and that do not rest on it, found a circle"
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
}
