import JSONKit
import Templates
import Testing

@testable import LinkFortyCore

@Suite struct TemplateMatchTests {
  /// A template, values that match it and values that do not, all as JSON text. `absent` means that there is no value.
  struct Row: Sendable, CustomTestStringConvertible {
    var template: String
    var green: [String]
    var red: [String]
    var testDescription: String { template }

    init(_ template: String, green: [String], red: [String]) {
      self.template = template
      self.green = green
      self.red = red
    }
  }

  static let words = [
    Row(#"{"$at-least": 2}"#, green: ["2", "2.0", "3"], red: ["1", "1.999", "\"3\"", "absent", "null"]),
    Row(#"{"$at-most": 2}"#, green: ["2", "-5"], red: ["2.001", "\"1\"", "absent"]),
    Row(#"{"$above": 2}"#, green: ["2.001"], red: ["2", "2.0", "absent"]),
    Row(#"{"$below": 2}"#, green: ["1.999"], red: ["2", "absent"]),
    Row(#"{"$at-least": 1, "$below": 3}"#, green: ["1", "2.9"], red: ["0", "3"]),
    Row(#"{"$one-of": [1, "a", {"$at-least": 5}]}"#, green: ["1.0", "\"a\"", "7"], red: ["2", "\"b\"", "absent"]),
    Row(#"{"$one-of": [{"$absent": true}, null]}"#, green: ["absent", "null"], red: ["1"]),
    Row(#"{"$all-of": [{"$at-least": 1}, {"$at-most": 2}]}"#, green: ["1", "2"], red: ["0", "3", "absent"]),
    Row(
      #"{"$near": "2026-03-01T09:30:00Z", "within": "2s"}"#,
      green: ["\"2026-03-01T09:30:02Z\"", "\"2026-03-01T11:29:58+02:00\""],
      red: ["\"2026-03-01T09:30:02.001Z\"", "\"yesterday\"", "1772357400000", "null", "absent"]),
    Row(
      #"{"$near": "2026-03-01T09:30:00Z", "within": "1s", "plus": "60s"}"#, green: ["\"2026-03-01T09:31:01Z\""],
      red: ["\"2026-03-01T09:30:00Z\"", "\"2026-03-01T09:31:02Z\""]),
    Row(
      #"{"$near": "2026-03-01T09:30:00Z", "within": "1s", "plus": "-60s"}"#, green: ["\"2026-03-01T09:29:00Z\""],
      red: ["\"2026-03-01T09:31:00Z\""]),
    Row(
      #"{"$near": "2026-03-01T09:30:00Z", "within": "500ms", "as": "epoch-ms"}"#,
      green: ["1772357400000", "1772357400500", "\"1772357399500\""],
      red: ["1772357400", "1772357400501", "\"soon\"", "absent"]),
    Row(
      #"{"$near": "2026-03-01T09:30:00Z", "within": "500ms", "as": "epoch-s"}"#,
      green: ["1772357400", "1772357400.5", "\"1772357400\""], red: ["1772357400000", "1772357401"]),
    Row(#"{"$near": "${never.$at}", "within": "1h"}"#, green: [], red: ["\"2026-03-01T09:30:00Z\""]),
    Row(#"{"$status": "ok"}"#, green: ["200", "299"], red: ["199", "300", "\"200\"", "absent"]),
    Row(#"{"$status": "redirect"}"#, green: ["300", "399"], red: ["299", "400"]),
    Row(#"{"$status": "refused"}"#, green: ["400", "499"], red: ["399", "500"]),
    Row(#"{"$status": "failed"}"#, green: ["500", "599"], red: ["499", "600"]),
    Row(#"{"$status": "error"}"#, green: ["400", "599"], red: ["399", "600"]),
    Row(#"{"$like": "[a-z]+"}"#, green: ["\"abc\""], red: ["\"abc1\"", "\"1abc\"", "\"\"", "5", "absent"]),
    Row(#"{"$absent": true}"#, green: ["absent"], red: ["null", "1"]),
    Row(#"{"$not": 5}"#, green: ["4", "null"], red: ["5", "5.0", "absent"]),
    Row(#"{"$every": {"$at-least": 1}}"#, green: ["[1]", "[1,2]"], red: ["[]", "[0,1]", "1", "absent"]),
    Row(#"{"$some": {"$at-least": 1}}"#, green: ["[0,1]"], red: ["[]", "[0]", "1", "absent"]),
    Row(
      #"{"$length": 2}"#, green: ["[1,2]", "\"ab\"", "\"👨‍👩‍👧é\"", "{\"a\":1,\"b\":2}"],
      red: ["[1]", "\"abc\"", "2", "absent"]),
    Row(#"{"$length": {"$at-most": 1}}"#, green: ["[]", "\"a\""], red: ["[1,2]"]),
    Row(
      #"{"$only": {"a": 1, "b?": 2}}"#, green: ["{\"a\":1}", "{\"b\":2,\"a\":1}"],
      red: ["{\"a\":1,\"c\":3}", "{}", "absent"]),
    Row(
      #"{"$fails": "network"}"#, green: [#"{"$error":{"kind":"network","message":"m"}}"#],
      red: [#"{"$error":{"kind":"x"}}"#, "null", "{}", "absent"]),
    Row(
      #"{"$fails": "${:any}"}"#, green: [#"{"$error":{"kind":"network"}}"#],
      red: ["null", "{\"kind\":\"x\"}", #"{"$error":{"kind":"no-reply"}}"#]),
    Row(#"{"$fails": "no-reply"}"#, green: [#"{"$error":{"kind":"no-reply"}}"#], red: [#"{"$error":{"kind":"x"}}"#]),
    Row(
      #"{"$fails": {"kind": "server", "status": 409}}"#, green: [#"{"$error":{"kind":"server","status":409}}"#],
      red: [#"{"$error":{"kind":"server","$status":400}}"#, #"{"$error":{"kind":"server"}}"#]),
    Row(#"{"$succeeds": true}"#, green: ["null", "{}", "[1]"], red: [#"{"$error":{"kind":"x"}}"#, "absent"]),
  ]

  static let kinds = [
    Row("\"${:any}\"", green: ["null", "1", "[]"], red: ["absent"]),
    Row("\"${:string}\"", green: ["\"\"", "\"a\""], red: ["1", "null"]),
    Row("\"${:text}\"", green: ["\"a\""], red: ["\"\"", "1"]),
    Row("\"${:number}\"", green: ["1", "1.5"], red: ["\"1\""]),
    Row("\"${:integer}\"", green: ["1", "1.0", "1e3"], red: ["1.5", "\"1\""]),
    Row("\"${:boolean}\"", green: ["true"], red: ["0", "\"true\""]),
    Row("\"${:object}\"", green: ["{}"], red: ["[]", "null"]),
    Row("\"${:array}\"", green: ["[]"], red: ["{}"]),
    Row(
      "\"${:uuid}\"", green: ["\"5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19\"", "\"5F0C1C9E-7D3A-4B7E-9A51-2C6F8E0D4B19\""],
      red: ["\"5f0c1c9e7d3a4b7e9a512c6f8e0d4b19\"", "\"5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b1g\"", "\"\""]),
    Row(
      "\"${:timestamp}\"", green: ["\"2026-03-01T09:30:00Z\"", "\"2026-03-01T09:30:00.123456Z\""],
      red: ["\"2026-03-01T09:30:00+00:00\"", "\"2026-03-01\"", "1"]),
    Row(
      "\"${:date}\"", green: ["\"2026-03-01T09:30:00+02:00\"", "\"2026-03-01T09:30:00Z\""],
      red: ["\"2026-03-01T09:30:00\"", "\"yesterday\""]),
    Row("\"${:Link}\"", green: [#"{"code":"a"}"#, #"{"code":"a","more":1}"#], red: [#"{"code":""}"#, "{}", "1"]),
    Row("\"${:Unknown}\"", green: [], red: ["1", "null"]),
  ]

  static let shapes = [
    Row("5", green: ["5", "5.0"], red: ["6", "\"5\"", "absent"]),
    Row("null", green: ["null"], red: ["absent", "false"]),
    Row("[1, \"${:text}\"]", green: ["[1,\"a\"]"], red: ["[1]", "[1,\"a\",2]", "[2,\"a\"]", "{}"]),
    Row(
      #"{"a": 1, "b?": 2}"#, green: ["{\"a\":1}", "{\"a\":1,\"b\":2,\"c\":3}"],
      red: ["{}", "{\"a\":1,\"b\":3}", "{\"a\":1,\"a\":1}", "[]"]),
    Row(
      "\"/a/${x}/b\"", green: ["\"/a/1/b\"", "\"/a//b\"", "\"/a/1/b/b\""],
      red: ["\"/a/1\"", "\"a/1/b\"", "5", "absent"]),
    Row("\"n=${x:integer}\"", green: ["\"n=5\"", "\"n=-1\""], red: ["\"n=\"", "\"n=a\"", "\"n=1.5\"", "\"n= 1\""]),
    Row("\"${x}-${x}\"", green: ["\"a-a\""], red: ["\"a-b\""]),
    Row("[\"${x}\", \"${x}\"]", green: ["[1,1.0]"], red: ["[1,2]"]),
    Row(#"{"$repeat": "ab", "times": 3}"#, green: ["\"ababab\""], red: ["\"abab\"", "[\"ab\"]"]),
    Row(#"{"$repeat": "a", "times": 0}"#, green: ["\"\""], red: ["\"a\""]),
    Row(
      #"{"$list": {"n": "${i}", "t": "e${i}"}, "times": 2}"#, green: [#"[{"n":1,"t":"e1"},{"n":2,"t":"e2"}]"#],
      red: [#"[{"n":1,"t":"e1"}]"#, "[]"]),
    Row(#"{"$list": "${k}", "times": 2, "as": "k"}"#, green: ["[1,2]"], red: ["[1,1]", "[0,1]"]),
    Row(#"{"$list": 7, "times": 0}"#, green: ["[]"], red: ["[7]"]),
    Row(
      #"{"$$ref": 1, "a": {"$$like": "b"}}"#, green: [#"{"$ref":1,"a":{"$like":"b"}}"#], red: [#"{"$$ref":1}"#, "{}"]),
    Row(#"{"$$ref?": 1}"#, green: ["{}", #"{"$ref":1}"#], red: [#"{"$ref":2}"#]),
    Row("\"a$${b}\"", green: ["\"a${b}\""], red: ["\"ab\"", "\"a$${b}\""]),
  ]

  @Test(arguments: words + kinds + shapes)
  func everyWordIsSeenGreenAndRed(row: Row) throws {
    let template = try Template(JSON(parsing: row.template))
    let models = ["Link": try Template(["code": "${:text}"])]
    for text in row.green + row.red {
      let value = text == "absent" ? nil : try JSON(parsing: text)
      let match = template.match(value, models: models)
      let isGreen = row.green.contains(text)
      #expect(match.mismatches.isEmpty == isGreen, "\(text): \(match.mismatches)")
      #expect(template.captures(from: value, models: models) == (isGreen ? match.bindings : nil), "\(text)")
    }
  }

  @Test func everyWordHasARow() {
    let tested = Self.words.map(\.template).joined()
    #expect(Template.constraintWords.filter { !tested.contains("\"\($0)\"") } == [])
    let kinds = Self.kinds.map(\.template).joined()
    #expect(Template.Kind.commonWords.filter { !kinds.contains(":\($0)}") } == [])
  }

  @Test func everyDifferenceIsToldWithItsPath() throws {
    let template = try Template([
      "a": 1, "b": ["x": "${:text}"], "c": [1, 2], "d": ["$every": ["$at-least": 1]], "e": ["$only": ["f": 1]],
      "g": "<${x}>",
    ])
    let match = template.match(
      ["a": 2, "b": ["x": ""], "c": [1, 3, 4], "d": [1, 0], "e": ["f": 1, "h": 2], "g": "y"])
    #expect(
      match.mismatches.map { "\($0.path): expected \($0.expected), observed \($0.observed)" } == [
        "$.a: expected 1, observed 2", "$.b.x: expected a non-empty string, observed \"\"",
        "$.c: expected 2 elements, observed 3: [1,3,4]", "$.c[1]: expected 2, observed 3",
        "$.d[1]: expected at least 1, observed 0", "$.e.h: expected no member of this name, observed 2",
        "$.g: expected text like '<<x>>', observed \"y\"",
      ])
  }

  @Test func aMissingMemberIsToldAsNothing() throws {
    let match = try Template(["a": ["b": "${:uuid}"]]).match(["a": [:]])
    #expect(
      match.mismatches == [.init(path: JSONPath([.key("a"), .key("b")]), expected: "a UUID", observed: "nothing")])
  }

  @Test func differencesInsideAModelComeOut() throws {
    let models = ["Link": try Template(["code": "${x:text}"])]
    let match = try Template(["link": "${l:Link}", "x": "${x}"]).match(["link": ["code": ""], "x": 1], models: models)
    #expect(match.mismatches.map(\.path.description) == ["$.link.code"])
    #expect(match.bindings["x"] == 1)
  }

  @Test func boundHolesCompareAndDottedOnesReach() throws {
    let template = try Template(["id": "${first.installId}"])
    #expect(template.fits(["id": "a"], bindings: ["first": ["installId": "a"]]))
    #expect(!template.fits(["id": "b"], bindings: ["first": ["installId": "a"]]))
    #expect(!template.fits(["id": "b"]))
  }

  @Test func textsAreComparedByTheirScalars() throws {
    let (composed, decomposed): (JSON, JSON) = ("\u{e9}", "e\u{301}")
    #expect(try Template(composed).fits(composed))
    #expect(try !Template(composed).fits(decomposed))
    #expect(try !Template(["${x}", "${x}"]).fits([composed, decomposed]))
    #expect(try !Template([decomposed.string ?? "": 1]).fits([composed.string ?? "": 1]))
  }

  @Test func aHoleInsideATextTakesValuesOfItsKind() throws {
    #expect(try Template("on=${x:boolean}").match("on=true").bindings == ["x": true])
    #expect(try Template("o=${x:object}").match("o={\"a\": 1}").bindings == ["x": ["a": 1]])
    #expect(try !Template("on=${x:boolean}").fits("on=1"))
    #expect(try Template("${x:integer}/${x}").match("5/5").bindings == ["x": 5])
    #expect(try !Template("${x:integer}/${x}").fits("5/6"))
  }

  @Test func aChoiceKeepsOnlyWhatTheWinnerCaptured() throws {
    let template = try Template(["$one-of": [["a": "${x}", "b": 2], ["a": "${y}"]]])
    #expect(template.captures(from: ["a": 1, "b": 3]) == ["y": 1])
  }
}
