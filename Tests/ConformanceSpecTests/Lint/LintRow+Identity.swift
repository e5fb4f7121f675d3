extension LintRow {
  static let identity = [
    LintRow(
      "stray-file", "spec/sample/notes.txt", nil, "x",
      "spec/sample/notes.txt: warning: $: expected a file of the catalogue in its folder, found a file that is not read"
    ),
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
}
