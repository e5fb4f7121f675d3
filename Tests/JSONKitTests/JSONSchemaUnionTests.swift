import Testing

@testable import JSONKit

@Suite struct JSONSchemaUnionTests {
  static let steps: JSON = [
    "items": ["$ref": "#/$defs/step"],
    "$defs": [
      "step": ["oneOf": [["$ref": "#/$defs/call"], ["$ref": "#/$defs/cut"], ["$ref": "#/$defs/repeat"]]],
      "call": [
        "type": "object", "required": ["call"], "additionalProperties": false,
        "properties": [
          "call": ["type": "string"], "as": ["type": "string"], "need": ["enum": ["succeeds", "either"]],
        ],
      ],
      "cut": [
        "type": "object", "required": ["cut"], "additionalProperties": false,
        "properties": [
          "cut": [
            "oneOf": [
              [
                "type": "object", "required": ["how"], "additionalProperties": false,
                "properties": ["how": ["enum": ["refuse", "drop"]], "exchange": ["type": "string"]],
              ],
              [
                "type": "object", "required": ["how", "bytes"], "additionalProperties": false,
                "properties": ["how": ["const": "truncate"], "bytes": ["type": "integer"]],
              ],
            ]
          ]
        ],
      ],
      "repeat": [
        "type": "object", "required": ["repeat"], "additionalProperties": false,
        "properties": ["repeat": ["type": "array", "items": ["$ref": "#/$defs/step"]]],
      ],
    ],
  ]

  @Test(
    arguments: [
      ([["call": "x", "as": "y"], ["repeat": [["cut": ["how": "drop"]]]]], []),
      (
        [["cut": ["how": "refsue"]]],
        ["$[0].cut.how: expected one of refuse, drop, truncate, found \"refsue\" — did you mean \"refuse\"?"]
      ),
      (
        [["cut": ["how": "truncate", "byte": 1]]],
        [
          "$[0].cut.bytes: expected an integer, found nothing",
          "$[0].cut.byte: expected one of the members how, bytes, found \"byte\" — did you mean \"bytes\"?",
        ]
      ),
      (
        [["cut": [:]]],
        ["$[0].cut.how: expected one of refuse, drop, truncate, found nothing"]
      ),
      (
        [["cal": "x", "as": "y"]],
        ["$[0]: expected one of the members call, cut, repeat, found \"cal\", \"as\" — did you mean \"call\"?"]
      ),
      ([[:]], ["$[0]: expected one of the members call, cut, repeat, found {}"]),
      (["x"], ["$[0]: expected an object, found \"x\""]),
      (
        [["call": "x", "need": "eiter"]],
        ["$[0].need: expected one of succeeds, either, found \"eiter\" — did you mean \"either\"?"]
      ),
      (
        [["repeat": [["repeat": [["call": 5]]]]]],
        ["$[0].repeat[0].repeat[0].call: expected a text, found 5"]
      ),
    ] as [(JSON, [String])])
  func theNearestFormIsTold(value: JSON, problems: [String]) throws {
    #expect(try JSONSchema(Self.steps).validate(value).map(\.description) == problems)
  }

  @Test func aWordOrAnObjectSuggestsTheWord() throws {
    let schema = try JSONSchema(["oneOf": [["enum": ["clean", "kill"]], ["type": "object"]]])
    #expect(schema.validate("kil").map(\.hint) == ["did you mean \"kill\"?"])
    #expect(schema.validate(["how": "clean"]).isEmpty)
  }

  @Test func holesFitEverySchemaButFalse() throws {
    let schema = try JSONSchema([
      "properties": ["count": ["type": "integer"], "form": ["oneOf": [["type": "string"], ["type": "integer"]]]],
      "additionalProperties": false,
    ])
    let value: JSON = ["count": "${n}", "form": "${f}", "other": "${o}"]
    let holes = Set(["$.count", "$.form", "$.other"].compactMap { JSONPath($0) })
    #expect(schema.validate(value, holes: holes).map(\.path.description) == ["$.other"])
    #expect(schema.validate(value).map(\.path.description) == ["$.count", "$.other"])
  }

  @Test func aHoleInsideAFormDoesNotMakeItAmbiguous() throws {
    let schema = try JSONSchema([
      "oneOf": [
        ["properties": ["kind": ["const": "a"]], "required": ["kind"]],
        ["properties": ["kind": ["const": "b"]], "required": ["kind"]],
      ]
    ])
    let path = try #require(JSONPath("$.kind"))
    #expect(schema.validate(["kind": "${k}"], holes: [path]).isEmpty)
    #expect(schema.validate(["kind": "${k}"]).count == 1)
  }
}
