import Testing

@testable import JSONKit

@Suite struct JSONSchemaCompilerTests {
  @Test(
    arguments: [
      (["properties": ["a": ["patern": "x"]]], "$.properties.a.patern", "did you mean \"pattern\"?"),
      (["format": "uuid"], "$.format", nil),
      (["$ref": "#/$defs/b", "$defs": ["bb": true]], "$['$ref']", "did you mean \"bb\"?"),
      (["$ref": "other.json#/$defs/b"], "$.$ref", nil),
      (["$ref": "#/$defs/a", "$defs": ["a": ["$ref": "#/$defs/a"]]], "$.$ref", nil),
      (
        ["$defs": ["a": ["allOf": [["$ref": "#/$defs/b"]]], "b": ["not": ["$ref": "#/$defs/a"]]]],
        "$.$defs.a.allOf[0].$ref", nil
      ),
      (["items": ["$defs": ["a": true]]], "$.items.$defs", nil),
      (["items": ["$id": "other"]], "$.items.$id", nil),
      (["$ref": "#/$defs/a/b", "$defs": ["a": true]], "$.$ref", nil),
      (["$ref": "#/$defs/a%2", "$defs": ["a": true]], "$.$ref", nil),
      (["type": "strin"], "$.type", "did you mean \"string\"?"),
      (["type": []], "$.type", nil),
      (["enum": []], "$.enum", nil),
      (["oneOf": []], "$.oneOf", nil),
      (["pattern": "("], "$.pattern", nil),
      (["patternProperties": ["(": true]], "$.patternProperties.(", nil),
      (["minLength": -1], "$.minLength", nil),
      (["minItems": 1.5], "$.minItems", nil),
      (["minItems": 3, "maxItems": 2], "$.maxItems", nil),
      (["minimum": "1"], "$.minimum", nil),
      (["then": true], "$.then", nil),
      (["required": [1]], "$.required[0]", nil),
      (["items": 5], "$.items", nil),
    ] as [(JSON, String, String?)])
  func aBadSchemaIsRefused(schema: JSON, path: String, hint: String?) throws {
    let problem = try #require(throws: JSONField.Problem.self) { try JSONSchema(schema) }
    #expect(problem.path == JSONPath(path))
    #expect(problem.hint == hint)
  }

  @Test func aKeywordTwiceIsRefused() throws {
    let schema = try JSON(parsing: #"{"type": "string", "type": "null"}"#)
    #expect(throws: JSONField.Problem.self) { try JSONSchema(schema) }
  }

  @Test func referencesThatGoDownMayRecur() throws {
    let tree: JSON = ["$ref": "#/$defs/t", "$defs": ["t": ["items": ["$ref": "#/$defs/t"], "type": "array"]]]
    #expect(try JSONSchema(tree).validate([[], [[], 1]]).map(\.path.description) == ["$[1][1]"])
  }
}
