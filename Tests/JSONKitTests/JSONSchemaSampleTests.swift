import JSONKit
import Testing

@Suite struct JSONSchemaSampleTests {
  /// Schemas, and the value that is made of each.
  @Test(
    arguments: [
      (["const": 7], 7), (["enum": ["b", .null]], "b"), (["type": "null"], .null),
      (["type": ["null", "object"]], .null),
      (["type": "integer", "minimum": 3], 3), (["type": "boolean"], true), (["type": "string"], "constant"),
      (["type": "string", "pattern": "^[0-9]+$"], "1"), (["type": "array", "items": ["type": "boolean"]], [true]),
      (["oneOf": [["type": "boolean"], ["type": "null"]]], true),
      (
        ["type": "object", "required": ["b"], "properties": ["a": ["type": "string"]]],
        ["a": "constant", "b": .null]
      ),
      (["$ref": "#/$defs/x", "$defs": ["x": ["type": "boolean"]]], true),
    ] as [(JSON, JSON)])
  func aSampleIsAsPlainAsTheSchemaAllows(_ schema: JSON, _ sample: JSON) {
    #expect(JSONSchemaSample.value(of: schema) == sample)
  }

  @Test(
    arguments: [
      ["type": "string", "pattern": "^never-this$"], ["not": ["type": "null"]], false, ["type": 1],
    ] as [JSON])
  func whatIsNotSolvedIsNone(_ schema: JSON) {
    #expect(JSONSchemaSample.value(of: schema) == nil)
  }
}
