extension LintRow {
  static let strength = [
    LintRow(
      "observation-member", Sample.cases, "where: { body: { name:", "where: { boddy: { name:",
      "spec/sample/cases/events.yaml:15:70: error: $.cases[0].claims[0].count.where.boddy: expected a member of a request: method, target, path, query, headers, body, text, answered, found 'boddy' — did you mean \"body\"?"
    ),
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
}
