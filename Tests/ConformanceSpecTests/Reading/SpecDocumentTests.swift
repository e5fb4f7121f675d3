import ConformanceModel
import ConformanceSpec
import JSONKit
import Testing

@Suite struct SpecDocumentTests {
  @Test(arguments: [
    ("a: true", #"{"a":true}"#), ("a: false", #"{"a":false}"#), ("a: null", #"{"a":null}"#), ("a:", #"{"a":null}"#),
    ("a: 1.50", #"{"a":1.50}"#), ("a: -1e3", #"{"a":-1e3}"#), ("a: 9007199254740993", #"{"a":9007199254740993}"#),
    ("a: no", #"{"a":"no"}"#), ("a: True", #"{"a":"True"}"#), ("a: 012", #"{"a":"012"}"#), ("a: ~", #"{"a":"~"}"#),
    ("a: 0x10", #"{"a":"0x10"}"#), ("a: 1:30", #"{"a":"1:30"}"#), ("a: 2026-03-12", #"{"a":"2026-03-12"}"#),
    ("a: .5", #"{"a":".5"}"#), ("a: 1_000", #"{"a":"1_000"}"#), ("a: .inf", #"{"a":".inf"}"#),
    ("a: '1'", #"{"a":"1"}"#), ("a: \"true\"", #"{"a":"true"}"#), ("a: |\n  null\n", #"{"a":"null\n"}"#),
    ("true: 1", #"{"true":1}"#), ("<<: 1", #"{"<<":1}"#), ("- [1, {b: c}]", #"[[1,{"b":"c"}]]"#),
    ("text", #""text""#), ("{a: \"\\u00e9\"}", #"{"a":"é"}"#),
  ])
  func plainYAMLMeansWhatJSONMeans(yaml: String, json: String) throws {
    #expect(try SpecDocument(file: "a.yaml", bytes: Array(yaml.utf8)).value.compactText == json)
  }

  @Test(arguments: [
    ("a.yaml", "", 1, 1, "an empty file"),
    ("a.yaml", "a: 1\nb: 2\na: 3\n", 1, 1, "'a' several times"),
    ("a.yaml", "a: &x 1\nb: 2\n", 1, 4, "an anchor"),
    ("a.yaml", "a: &x [1]\nb: *x\n", 1, 4, "an anchor"),
    ("a.yaml", "a: !!binary aaaa\n", 1, 4, "the tag tag:yaml.org,2002:binary"),
    ("a.yaml", "a: !!str 1\n", 1, 4, "the tag tag:yaml.org,2002:str"),
    ("a.yaml", "? [a]\n: 1\n", 1, 3, "a list or a mapping"),
    ("a.yaml", "a: 1\n---\nb: 1\n", 2, 1, "expected a single document in the stream, but found another document"),
    ("a.yaml", "a:\n\t- 1\n", 2, 1, "found character that cannot start any token"),
    ("a.yaml", "a: \"\\ud83d\\ude00\"\n", 1, 7, "invalid Unicode character escape code"),
    ("a.json", "{\"a\": 1,\n \"b\": [1 2]}", 2, 10, "'2'"),
    ("a.json", "{\"a\": 1,\n \"é\": 1, \"a\": 2}", 2, 10, "a second one of this name"),
    ("a.json", "[{\"x\": [{\"b\": 1, \"b\": 2}]}]", 1, 18, "a second one of this name"),
    ("a.json", "", 1, 1, "end of text"),
  ])
  func syntaxErrorsSayWhere(file: String, text: String, line: Int, column: Int, found: String) throws {
    let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: file, bytes: Array(text.utf8)) }
    #expect((error.line, error.column) == (line, column), "\(error)")
    #expect(error.found.hasSuffix(found), "\(error)")
    #expect(error.rule == "syntax")
  }

  @Test func textThatIsNotUTF8IsRefused() {
    #expect(throws: Diagnostic.self) { try SpecDocument(file: "a.yaml", bytes: [0x61, 0xFF]) }
  }

  static let yaml = """
    # a comment
    cases:
      - case: one
        steps: [ { call: x, "é": 1 }, { cut: {
          how: refsue } } ]
      -
        case: two
    """

  static let json = """
    {
      "cases": [
        { "case": "o\\"}ne", "steps": [ { "é": 1, "call": [] }, {"cut": {"how":"refsue"}} ] },
        [true, -1.5e3]
      ]
    }
    """

  @Test(arguments: [
    ("a.yaml", "$", 2, 1), ("a.yaml", "$.cases", 2, 1), ("a.yaml", "$.cases[0]", 3, 5),
    ("a.yaml", "$.cases[0].steps", 4, 5), ("a.yaml", "$.cases[0].steps[0]", 4, 14),
    ("a.yaml", "$.cases[0].steps[0].é", 4, 25), ("a.yaml", "$.cases[0].steps[1].cut.how", 5, 7),
    ("a.yaml", "$.cases[0].steps[1].cut.howw", 4, 37), ("a.yaml", "$.cases[1]", 7, 5), ("a.yaml", "$.cases[9].x", 2, 1),
    ("a.json", "$", 1, 1), ("a.json", "$.cases", 2, 3), ("a.json", "$.cases[0]", 3, 5),
    ("a.json", "$.cases[0].steps[0].call", 3, 46), ("a.json", "$.cases[0].steps[1].cut.how", 3, 69),
    ("a.json", "$.cases[1]", 4, 5), ("a.json", "$.cases[1][1]", 4, 12), ("a.json", "$.nothing", 1, 1),
  ])
  func everyPartHasItsPlace(file: String, path: String, line: Int, column: Int) throws {
    let text = file == "a.yaml" ? Self.yaml : Self.json
    let document = try SpecDocument(file: file, bytes: Array(text.utf8))
    let position = document.position(of: try #require(JSONPath(path)))
    #expect((position.line, position.column) == (line, column))
  }

  @Test func aDiagnosticReadsLikeACompilers() throws {
    let document = try SpecDocument(file: "spec/x/cases/a.yaml", bytes: Array(Self.yaml.utf8))
    let problem = JSONField.Problem(
      path: try #require(JSONPath("$.cases[0].steps[1].cut.how")), expected: "one of refuse, drop", found: "\"refsue\"",
      hint: "did you mean \"refuse\"?")
    #expect(
      document.diagnostic(problem, rule: "schema").description
        == "spec/x/cases/a.yaml:5:7: error: $.cases[0].steps[1].cut.how: expected one of refuse, drop, found "
        + "\"refsue\" — did you mean \"refuse\"?")
  }
}
