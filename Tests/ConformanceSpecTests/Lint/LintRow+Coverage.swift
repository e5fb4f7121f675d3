extension LintRow {
  static let coverage = [
    LintRow(
      "stale-reason", notes, nil, "kit: 2\nflow: [ { cell: Link.code request, reason: A. } ]\n",
      "\(notes):2:11: warning: $.flow[0].cell: expected an empty cell of 'conform coverage --flow', found 'Link.code request'"
    ),
    LintRow(
      "stale-reason", notes, nil, "kit: 2\nmoments: [ { cell: trackEvent reply, reason: A. } ]\n",
      "\(notes):2:14: warning: $.moments[0].cell: expected an empty cell of 'conform coverage --moments', found 'trackEvent reply'"
    ),
    LintRow(
      "stale-reason", notes, nil, "kit: 2\nmoments: [ { cell: reply process, reason: A. } ]\n",
      "\(notes):2:14: warning: $.moments[0].cell: expected an empty cell of 'conform coverage --moments', found 'reply process'"
    ),
    LintRow(
      "stale-reason", notes, nil, "kit: 2\nvalues: [ { cell: call trackEvent.names *, reason: A. } ]\n",
      "\(notes):2:13: warning: $.values[0].cell: expected an empty cell of 'conform coverage --values', found 'call trackEvent.names *' — did you mean \"call trackEvent.name long\"?"
    ),
    LintRow(
      "stale-reason", notes, nil, "kit: 2\nnegatives: [ { cell: SA-EVT-001 bare, reason: A. } ]\n",
      "\(notes):2:16: warning: $.negatives[0].cell: expected an empty cell of 'conform coverage --negatives', found 'SA-EVT-001 bare'"
    ),
    LintRow(
      "stale-reason", notes, nil, "kit: 2\nunused: [ { rule: rare-word, of: drop, reason: A. } ]\n",
      "\(notes):2:13: warning: $.unused[0].rule: expected a rule that has exceptions: uncalled-command, unexpected-error, unmet-status, unneeded-capability, unset-parameter, unset-surrounding, unused-fault, found 'rare-word'"
    ),
    LintRow(
      "passage", notes, nil, "kit: 2\npassages: [ { model: Lnk, request: event, at: $.body } ]\n",
      "\(notes):2:15: error: $.passages[0].model: expected a golden model: Link, found 'Lnk' — did you mean \"Link\"?"),
    LintRow(
      "passage", notes, nil, "kit: 2\npassages: [ { model: Link, callback: onLnk } ]\n",
      "\(notes):2:28: error: $.passages[0].callback: expected a command: initialize, makeLink, onLink, queueSize, trackEvent, found 'onLnk' — did you mean \"onLink\"?"
    ),
    LintRow(
      "negative-name", notes, nil, "kit: 2\nnegativeRequirements: { secret: [SA-EVT-999] }\n",
      "\(notes):2:34: error: $.negativeRequirements.secret[0]: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-999' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "negative-name", notes, nil, "kit: 2\nnegativeForms: { second: [makeLnk] }\n",
      "\(notes):2:27: error: $.negativeForms.second[0]: expected a value or a command: initialize, makeLink, onLink, queueSize, trackEvent, found 'makeLnk' — did you mean \"makeLink\"?"
    ),
    LintRow(
      "source-sentence", notes, nil, sentence("rules: [SA-EVT-999]"),
      "\(notes):6:40: error: $.documents[0].sections[0].sentences[0].rules[0]: expected the id of a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-999' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "source-sentence", notes, nil, sentence("rules: []"),
      "\(notes):6:20: error: $.documents[0].sections[0].sentences[0]: expected 'rules' or a 'reason', found neither"),
    LintRow(
      "source-sentence", notes, nil, sentence("reason: A.").replacing("\"2\"", with: "Preface"),
      "spec/sample/requirements/events.yaml:16:5: error: $.requirements[1].source: expected a section of 'A page' in coverage.yaml: Preface, found '2'"
    ),
    LintRow(
      "moment-command", Sample.definition, "errorKinds:", "moments: { reset: [rest] }\nerrorKinds:",
      "\(Sample.definition):26:20: error: $.moments.reset[0]: expected a command: initialize, makeLink, onLink, queueSize, trackEvent, found 'rest'"
    ),
    LintRow(
      "disputed-name", Sample.definition, "errorKinds:",
      "disputed: [{ requirement: SA-EVT-999, reason: A. }]\nerrorKinds:",
      "\(Sample.definition):26:14: error: $.disputed[0].requirement: expected a requirement: SA-APP-001, SA-EVT-001, SA-EVT-002, SA-EVT-003, SA-EVT-004, found 'SA-EVT-999' — did you mean \"SA-EVT-001\"?"
    ),
    LintRow(
      "tier-name", Sample.definition, "errorKinds:",
      "certification: [{ tier: a, text: A., roles: [sdq], dialects: [spec], gate: stated, validDays: 1 }]\nerrorKinds:",
      "\(Sample.definition):26:46: error: $.certification[0].roles[0]: expected a role: backend, sdk, server, found 'sdq' — did you mean \"sdk\"?"
    ),
  ]

  private static let notes = "spec/sample/coverage.yaml"

  private static func sentence(_ rest: String) -> String {
    """
    kit: 2
    documents:
      - document: A page
        sections:
        - section: "2"
          sentences: [ { says: A., \(rest) } ]

    """
  }
}
