extension LintRow {
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
      "idle-requirement", Sample.defects, "variants:",
      "idle: [{ subject: canned sdk, keeps: [SA-EVT-001, SA-EVT-011], because: It does. }]\nvariants:",
      "spec/sample/defects/all.yaml:5:31: error: $.idle[0].keeps: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-011' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "defect-bend", Sample.defects, "noticed: event.answer",
      "noticed: event.answer, bend: { request: evnt, lose: true }",
      "spec/sample/defects/all.yaml:4:91: error: $.defects[1].bend.request: expected a side that calls services, found server"
    ),
    LintRow(
      "defect-bend", Sample.defects, "noticed: event.answer", "noticed: event.answer, bend: { answer: any, lose: true }"
    ),
    LintRow(
      "defect-bend", Sample.defects, "noticed: event.answer", "noticed: event.answer, bend: { reply: any, lose: true }",
      "spec/sample/defects/all.yaml:4:91: error: $.defects[1].bend.reply: expected a side that has a driver, found server"
    ),
    LintRow(
      "defect-bend", Sample.defects, "breaks: SA-EVT-001,",
      "breaks: SA-EVT-001, bend: { request: any, rewrite: { find: (a, with: b } },",
      "spec/sample/defects/all.yaml:3:88: error: $.defects[0].bend.rewrite.find: expected a regular expression, found '(a'"
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
}
