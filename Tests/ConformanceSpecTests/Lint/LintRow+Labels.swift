extension LintRow {
  static let labels = [
    LintRow(
      "unknown-label", Sample.cases, "{ await: { request: event, count: \"${sent}\" } }",
      "{ await: { request: event, count: \"${sent}\", since: e5 } }",
      "spec/sample/cases/events.yaml:13:54: error: $.cases[0].steps[2].await.since: expected the label of a step: e1, e2, found 'e5' — did you mean \"e1\"?",
      "spec/sample/cases/events.yaml:13:54: error: $.cases[0].steps[2].await.since: expected the label of a step: e1, found 'e5' — did you mean \"e1\"?"
    ),
    LintRow(
      "await-satisfied", Sample.cases, "      - { call: queueSize, as: size }\n    claims:",
      "      - { call: queueSize, as: size }\n      - { await: { reply: size } }\n    claims:",
      "spec/sample/cases/events.yaml:29:11: error: $.cases[1].steps[5].await: expected something that is not certain before the step begins, found the reply of 'size', which waits for it itself"
    ),
    LintRow(
      "await-satisfied", Sample.cases, "      - { call: queueSize, as: size }\n    claims:",
      "      - { call: queueSize, as: size }\n      - { await: { request: event, before: size } }\n    claims:",
      "spec/sample/cases/events.yaml:29:11: error: $.cases[1].steps[5].await: expected observations that can still come, found only those before step 'size', which is over by then"
    ),
    LintRow(
      "await-satisfied", Sample.cases, "      - { call: queueSize, as: size }\n    claims:",
      "      - { call: queueSize, as: size }\n      - repeat: { times: 2, steps: [ { await: { request: event, after: tracked, before: size } } ] }\n    claims:",
      "spec/sample/cases/events.yaml:29:40: error: $.cases[1].steps[5].repeat.steps[0].await: expected observations that can still come, found only those before step 'size', which is over by then"
    ),
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
      "unbound-hole", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ send: event, with: { name: x }, path: \"/${name}\", as: sent }"),
    LintRow(
      "unbound-hole", Sample.cases, "{ send: event, bindings: minimal, as: sent }",
      "{ send: event, with: { name: x }, path: \"/${nme}\", as: sent }",
      "spec/sample/cases/events.yaml:36:43: error: $.cases[2].steps[0].path: expected a value for ${nme}: of a row, a loop or an earlier step, found none"
    ),
    LintRow(
      "filled-template", Sample.cases, "with: { name: x }", "with: { name: \"${:text}\" }",
      "spec/sample/cases/events.yaml:27:29: error: $.cases[1].steps[3].with: expected values and named holes, from which a value can be made, found a check or a hole without a name, which can only be compared with one"
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
      "spec/sample/cases/events.yaml:9:28: error: $.cases[0].rows[1].n: expected a name without another meaning in the case, found 'n'",
      "spec/sample/cases/events.yaml:9:34: error: $.cases[0].rows[1].main: expected a name without another meaning in the case, found 'main'"
    ),
  ]
}
