extension LintRow {
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
}
