import ConformanceSpec
import JSONKit
import SpecDocuments
import Testing

@Suite struct SpecDocumentTests {
  @Test(arguments: [
    ("a: true", #"{"a":true}"#), ("a: false", #"{"a":false}"#), ("a: null", #"{"a":null}"#), ("a:", #"{"a":null}"#),
    ("a: 1.50", #"{"a":1.50}"#), ("a: -1.5e+3", #"{"a":-1.5e+3}"#), ("a: 9007199254740993", #"{"a":9007199254740993}"#),
    ("a: nope", #"{"a":"nope"}"#), ("a: 5s", #"{"a":"5s"}"#), ("a: 1.21.0", #"{"a":"1.21.0"}"#),
    ("a: n", #"{"a":"n"}"#),
    ("a: 2026-03", #"{"a":"2026-03"}"#), ("a: http://a/b?c", #"{"a":"http://a/b?c"}"#), ("a: -b", #"{"a":"-b"}"#),
    ("[\"a?\", {'b?': \"?\"}]", #"["a?",{"b?":"?"}]"#), ("- a?\n- b: c?", #"["a?",{"b":"c?"}]"#),
    ("a: 'no'", #"{"a":"no"}"#), ("a: \"~\"", #"{"a":"~"}"#), ("a: |\n  1:30\n", #"{"a":"1:30\n"}"#),
    ("a: '1'", #"{"a":"1"}"#), ("a: \"true\"", #"{"a":"true"}"#), ("a: |\n  null\n", #"{"a":"null\n"}"#),
    ("'true': 1", #"{"true":1}"#), ("\"<<\": 1", #"{"<<":1}"#), ("- [1, {b: c}]", #"[[1,{"b":"c"}]]"#),
    ("a: 1\r\nb: 2\r\n", #"{"a":1,"b":2}"#), ("a: \"\\t\\L\"", "{\"a\":\"\\t\\u2028\"}"),
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
    ("a.yaml", "a: ! 'b'\n", 1, 4, "a tag"), ("a.yaml", "! a: 'b'\n", 1, 1, "a tag"),
    ("a.yaml", "- !\n", 1, 3, "a tag"),
    ("a.yaml", "a: |#c\n  b\n", 1, 4, "'|#c'"),
    ("a.yaml", "a: !!str 1\n", 1, 4, "the tag tag:yaml.org,2002:str"),
    ("a.yaml", "? [a]\n: 1\n", 1, 3, "a list or a mapping"),
    ("a.yaml", "a: 1\n---\nb: 1\n", 2, 1, "expected a single document in the stream, but found another document"),
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

  /// Texts that other readers of YAML interpret differently, or refuse.
  @Test(arguments: [
    ("a: no", 4, "a boolean"), ("a: Off", 4, "a boolean"), ("a: YES", 4, "a boolean"), ("a: True", 4, "a boolean"),
    ("a: ~", 4, "null"), ("a: NULL", 4, "null"), ("a: =", 4, "a default value"), ("a: 012", 4, "a number"),
    ("a: 0x10", 4, "a number"), ("a: 0o17", 4, "a number"), ("a: 0b11", 4, "a number"), ("a: 1_000", 4, "a number"),
    ("a: +1", 4, "a number"), ("a: .5", 4, "a number"), ("a: 1.", 4, "a number"), ("a: -.Inf", 4, "a number"),
    ("a: .nan", 4, "a number"), ("a: +1e3", 4, "a number"), ("a: 1:30", 4, "a number to the base of 60"),
    ("a: -1:30.5", 4, "a number to the base of 60"), ("a: 2026-03-12", 4, "a date"),
    ("a: 2026-03-12T11:30:00Z", 4, "a date"), ("a: 2026-3-1 1:30:00.5 -2", 4, "a date"),
    ("[1, no]", 5, "a boolean"), ("no: 1", 1, "a boolean"), ("true: 1", 1, "boolean"), ("{200: 1}", 2, "integer"),
    ("1.5: 1", 1, "number"), ("null: 1", 1, "null"), ("<<: 1", 1, "a merge key"),
  ])
  func whatOtherReadersTakeForSomethingElseIsRefused(yaml: String, column: Int, type: String) throws {
    let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: "a.yaml", bytes: Array(yaml.utf8)) }
    #expect((error.line, error.column) == (1, column), "\(error)")
    #expect(error.found.hasSuffix("which other readers take for \(type)"), "\(error)")
    #expect(error.hint?.hasPrefix("write it in quotes: \"") == true, "\(error)")
  }

  @Test(arguments: [
    ("a: 1e3", "1.0e+3"), ("a: 1E-3", "1.0e-3"), ("a: -1.5e3", "-1.5e+3"), ("a: [0e0]", "0.0e+0"),
  ])
  func exponentsHaveAPointAndASign(yaml: String, portable: String) throws {
    let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: "a.yaml", bytes: Array(yaml.utf8)) }
    #expect(error.found.hasSuffix("which other readers take for text"), "\(error)")
    #expect(error.hint?.hasPrefix("write \(portable) for the number") == true, "\(error)")
  }

  @Test(arguments: [
    ("a:\n- { x: /a?b }\n", 2, 8), ("[\n é, [a?]]", 2, 6), ("{a: {b?: 1}}", 1, 6), ("a: [\n  b: c?\n]", 2, 6),
  ])
  func aPlainQuestionMarkInBracketsIsRefused(yaml: String, line: Int, column: Int) throws {
    let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: "a.yaml", bytes: Array(yaml.utf8)) }
    #expect((error.line, error.column) == (line, column), "\(error)")
    #expect(error.found.hasSuffix("question mark other readers refuse inside brackets"), "\(error)")
  }

  @Test(arguments: [
    ("a:\n\t- 1\n", 2, 1, "a tab"), ("a: 'é\t'", 1, 6, "a tab"),
    ("a: 1 # x\ry", 1, 9, "a carriage return inside a line"),
    ("a: \"x\u{85}y\"", 1, 6, "U+0085"), ("a: x\u{2028}y", 1, 5, "U+2028"), ("a: x\u{2029}y", 1, 5, "U+2029"),
  ])
  func spaceThatReadersTakeDifferentlyIsRefused(yaml: String, line: Int, column: Int, found: String) throws {
    let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: "a.yaml", bytes: Array(yaml.utf8)) }
    #expect((error.line, error.column) == (line, column), "\(error)")
    #expect(error.found == found)
  }

  @Test(arguments: ["a.yaml", "a.json"]) func textThatIsNotUTF8IsRefused(file: String) throws {
    let error = try #require(throws: Diagnostic.self) {
      try SpecDocument(file: file, bytes: Array("\"é\n".utf8) + [0x61, 0xFF, 0x22])
    }
    #expect((error.line, error.found) == (2, "other bytes on this line"))
  }

  @Test(arguments: ["a: é\r\n\u{0}", "a: é\r\n\u{7}b", "a: é\r\n\u{FFFE}"])
  func controlCharactersAreRefused(yaml: String) throws {
    let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: "a.yaml", bytes: Array(yaml.utf8)) }
    #expect((error.line, error.column) == (2, 1), "\(error)")
    #expect(error.found == "control characters are not allowed")
  }

  @Test(arguments: [
    ("a.yaml", "[", "]"), ("a.json", "[", "]"), ("a.yaml", "- ", ""), ("a.yaml", "{a: ", "}"),
    ("a.json", "{\"a\":", "}"),
  ])
  func nestingHasALimit(file: String, opening: String, closing: String) throws {
    func text(_ depth: Int) -> [UInt8] {
      Array(("\n" + String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)).utf8)
    }
    for depth in [257, 2000, 100_000] {
      let error = try #require(throws: Diagnostic.self) { try SpecDocument(file: file, bytes: text(depth)) }
      #expect(error.line == 2 && error.expected == "nesting of at most 256 levels", "\(error)")
    }
    #expect(throws: Never.self) { try SpecDocument(file: file, bytes: text(255)) }
  }

  @Test func filesHaveALargestSize() throws {
    let error = try #require(throws: Diagnostic.self) {
      try SpecDocument(file: "a.yaml", bytes: Array(repeating: UInt8(ascii: "a"), count: 16 << 20 | 1))
    }
    #expect(
      error.description == "a.yaml:1:1: error: $: expected at most 16777216 bytes, found 16777217 — split the file")
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
