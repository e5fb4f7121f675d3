import Testing

@testable import JSONKit

@Suite struct JSONSchemaTests {
  /// One row: a schema, a value, and the problems as they are printed.
  struct Row: Sendable, CustomTestStringConvertible {
    var schema: JSON
    var value: JSON
    var problems: [String]
    var testDescription: String { "\(schema.compactText) \(value.compactText)" }

    init(_ schema: JSON, _ value: JSON, _ problems: String...) {
      self.schema = schema
      self.value = value
      self.problems = problems
    }
  }

  @Test(arguments: scalarRows + objectRows + arrayRows + combinedRows)
  func everyProblemIsTold(row: Row) throws {
    let schema = try JSONSchema(row.schema)
    #expect(schema.validate(row.value).map(\.description) == row.problems)
  }

  static let scalarRows: [Row] = [
    Row(true, .null),
    Row([:], 1),
    Row(false, 1, "$: expected nothing here, found 1"),
    Row(["type": "string"], "a"),
    Row(["type": "string"], 1, "$: expected a text, found 1"),
    Row(["type": "integer"], .lexeme("2.0")),
    Row(["type": "integer"], 2.5, "$: expected an integer, found 2.5"),
    Row(["type": "number"], 2),
    Row(["type": ["string", "null"]], .null),
    Row(["type": ["string", "null"]], true, "$: expected a text or null, found true"),
    Row(["type": "string", "minLength": 1], 1, "$: expected a text, found 1"),
    Row(["const": 1], .lexeme("1.0")),
    Row(["const": ["a": 1]], ["a": 2], "$: expected {\"a\":1}, found {\"a\":2}"),
    Row(["enum": ["refuse", "drop"]], "drop"),
    Row(
      ["enum": ["refuse", "drop"]], "refsue",
      "$: expected one of refuse, drop, found \"refsue\" — did you mean \"refuse\"?"),
    Row(["enum": [1, "x"]], 3, "$: expected one of 1, x, found 3"),
    Row(["minLength": 1], "", "$: expected a text that is not empty, found \"\""),
    Row(["minLength": 2, "maxLength": 3], "é👍"),
    Row(["minLength": 2, "maxLength": 3], "abcd", "$: expected a text of 2 to 3 characters, found 4: \"abcd\""),
    Row(["maxLength": 1], 12),
    Row(["pattern": "b"], "abc"),
    Row(["pattern": "^b"], "abc", "$: expected text that matches /^b/, found \"abc\""),
    Row(["title": "a word", "pattern": "^b"], "a", "$: expected a word, found \"a\""),
    Row(["minimum": 1, "maximum": 2], 1),
    Row(["minimum": 1], 0, "$: expected at least 1, found 0"),
    Row(["maximum": 2], .lexeme("2.00000000000000000001"), "$: expected at most 2, found 2.00000000000000000001"),
    Row(["exclusiveMinimum": 1], 1, "$: expected more than 1, found 1"),
    Row(["exclusiveMaximum": 1], .lexeme("1e0"), "$: expected less than 1, found 1e0"),
    Row(["exclusiveMaximum": 1], -5),
    Row(["description": "d", "examples": [1], "default": 2, "$schema": "s", "$id": "i", "$comment": "c"], 5),
  ]

  static let objectRows: [Row] = [
    Row(["required": ["a"]], ["a": .null]),
    Row(["required": ["a"]], []),
    Row(
      ["type": "object", "required": ["a", "b"], "properties": ["a": ["type": "integer"]]], [:],
      "$.a: expected an integer, found nothing", "$.b: expected a value, found nothing"),
    Row(
      ["properties": ["how": true, "times": true], "additionalProperties": false], ["howw": 1],
      "$.howw: expected one of the members how, times, found \"howw\" — did you mean \"how\"?"),
    Row(["additionalProperties": false], ["x": 1], "$.x: expected no members, found \"x\""),
    Row(
      ["properties": ["a": true], "additionalProperties": false], ["b": 1, "c": 2],
      "$.b: expected only the member a, found \"b\" — did you mean \"a\"?",
      "$.c: expected only the member a, found \"c\" — did you mean \"a\"?"),
    Row(
      ["properties": ["a": true], "additionalProperties": ["type": "null"]], ["a": 1, "b": 1],
      "$.b: expected null, found 1"),
    Row(
      ["patternProperties": ["^x": ["type": "integer"]], "additionalProperties": false], ["x1": 1, "y": 1],
      "$.y: expected no members, found \"y\""),
    Row(
      ["patternProperties": ["^x": ["type": "integer"]]], ["x1": "", "y": ""], "$.x1: expected an integer, found \"\""),
    Row(
      ["propertyNames": ["title": "a short name", "maxLength": 2]], ["a": 1, "long": 1],
      "$.long: expected a member name that is a text of at most 2 characters, found 4: \"long\""),
    Row(["minProperties": 2], ["a": 1], "$: expected at least 2 members, found 1"),
    Row(["minProperties": 1], [:], "$: expected at least 1 member, found 0"),
    Row(
      ["properties": ["a": ["properties": ["b c": ["type": "null"]]]]], ["a": ["b c": 1]],
      "$.a['b c']: expected null, found 1"),
  ]

  static let arrayRows: [Row] = [
    Row(
      ["items": ["type": "integer"]], [1, "a", 2, .null], "$[1]: expected an integer, found \"a\"",
      "$[3]: expected an integer, found null"),
    Row(["items": false], []),
    Row(["prefixItems": [["type": "integer"]], "items": ["type": "string"]], [1, "a", "b"]),
    Row(
      ["prefixItems": [["type": "integer"]], "items": ["type": "string"]], ["a", 1],
      "$[0]: expected an integer, found \"a\"", "$[1]: expected a text, found 1"),
    Row(["prefixItems": [["type": "integer"]]], [1, "anything"]),
    Row(["minItems": 1], [], "$: expected at least 1 elements, found 0"),
    Row(["minItems": 2, "maxItems": 2], [1, 2, 3], "$: expected exactly 2 elements, found 3"),
    Row(
      ["uniqueItems": true], [1, "1", 2, .lexeme("1.0")],
      "$[3]: expected elements that differ, found 1.0, which is also at [0]"),
    Row(
      ["uniqueItems": true], [["a": 1, "b": 2], ["b": 2, "a": 1]],
      "$[1]: expected elements that differ, found {\"b\":2,\"a\":1}, which is also at [0]"),
    Row(["uniqueItems": false], [1, 1]),
  ]

  /// An object that has a member of its own and those of one of two included forms.
  private static let closed: JSON = [
    "properties": ["is": true],
    "oneOf": [
      ["title": "a call", "required": ["call"], "properties": ["call": ["type": "string"]]],
      ["title": "a reply", "required": ["reply"], "properties": ["reply": true]],
    ],
    "unevaluatedProperties": false,
  ]

  static let combinedRows: [Row] = [
    Row(
      ["allOf": [["minimum": 2], ["maximum": 1]]], 1.5, "$: expected at least 2, found 1.5",
      "$: expected at most 1, found 1.5"),
    Row(["not": ["type": "string"]], 1),
    Row(["not": ["type": "string"]], "a", "$: expected anything but a text, found \"a\""),
    Row(
      ["if": ["type": "string"], "then": ["minLength": 1], "else": ["minimum": 1]], "",
      "$: expected a text that is not empty, found \"\""),
    Row(
      ["if": ["type": "string"], "then": ["minLength": 1], "else": ["minimum": 1]], 0, "$: expected at least 1, found 0"
    ),
    Row(["if": ["type": "string"], "then": false], 0),
    Row(["$ref": "#/$defs/a", "$defs": ["a": ["type": "null"]]], 1, "$: expected null, found 1"),
    Row(["$ref": "#/$defs/a~1b", "$defs": ["a/b": ["type": "null"]]], 1, "$: expected null, found 1"),
    Row(
      [
        "$ref": "#/$defs/tree",
        "$defs": ["tree": ["properties": ["child": ["$ref": "#/$defs/tree"]], "additionalProperties": false]],
      ],
      ["child": ["child": ["x": 1]]], "$.child.child.x: expected only the member child, found \"x\""),
    Row(closed, ["reply": "a", "is": 1]),
    Row(
      closed, ["reply": "a", "iss": 1],
      "$.iss: expected one of the members is, reply, found \"iss\" — did you mean \"is\"?"),
    Row(closed, ["call": 1], "$.call: expected a text, found 1"),
    Row(
      closed, ["call": "a", "reply": "a"],
      "$: expected exactly one of the forms, found {\"call\":\"a\",\"reply\":\"a\"}, which is a call and a reply"),
    Row(closed, ["is": 1], "$: expected one of the members call, reply, found \"is\""),
    Row(["anyOf": [["type": "string"], ["type": "integer"]]], 1),
    Row(["anyOf": [["type": "string"], ["type": "integer"]]], [], "$: expected a text or an integer, found []"),
    Row(["anyOf": [["minimum": 1], ["minimum": 0]]], 1),
    Row(
      ["oneOf": [["title": "one", "minimum": 1], ["title": "two", "minimum": 0]]], 1,
      "$: expected exactly one of the forms, found 1, which is one and two"),
    Row(["oneOf": [["minimum": 5], ["minimum": 3]]], 1, "$: expected at least 5 or at least 3, found 1"),
  ]
}

extension JSON {
  /// A number with exactly these characters.
  static func lexeme(_ text: String) -> JSON { JSON.Number(lexeme: text).map(JSON.number) ?? .null }
}
