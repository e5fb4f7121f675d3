import Foundation
import Testing

@testable import JSONKit

/// The official JSON-Schema-Test-Suite, draft 2020-12, for the keywords that the kit knows.
///
/// The files in `JSON-Schema-Test-Suite` are as that project has them; it also is in the source of PyPI's `jsonschema`.
@Suite struct JSONSchemaSuiteTests {
  /// The schemas of the suite that ours refuses to read, by the reason: the kit's own schemas need nothing of this, and
  /// what a schema says is never passed over in silence.
  private static let refused: [String: Set<String>] = [
    "keywords that the kit's schemas do not use": [
      "additionalProperties: dependentSchemas with additionalProperties", "allOf: allOf combined with anyOf, oneOf",
      "if-then-else: if and else without then", "if-then-else: validate against correct branch, then vs else",
      "unevaluatedProperties: dependentSchemas with unevaluatedProperties",
      "unevaluatedProperties: unevaluatedProperties with dependentSchemas",
    ],
    "unevaluatedProperties other than false": [
      "unevaluatedProperties: cousin unevaluatedProperties, true and false, false with properties",
      "unevaluatedProperties: cousin unevaluatedProperties, true and false, true with properties",
      "unevaluatedProperties: dynamic evalation inside nested refs",
      "unevaluatedProperties: nested unevaluatedProperties, outer false, inner true, properties inside",
      "unevaluatedProperties: nested unevaluatedProperties, outer false, inner true, properties outside",
      "unevaluatedProperties: nested unevaluatedProperties, outer true, inner false, properties inside",
      "unevaluatedProperties: nested unevaluatedProperties, outer true, inner false, properties outside",
      "unevaluatedProperties: unevaluatedProperties not affected by propertyNames",
      "unevaluatedProperties: unevaluatedProperties schema", "unevaluatedProperties: unevaluatedProperties true",
      "unevaluatedProperties: unevaluatedProperties with nested unevaluatedProperties",
      "unevaluatedProperties: unevaluatedProperties with null valued instance properties",
    ],
    "a then or an else without an if, which says nothing and is a mistake": [
      "if-then-else: ignore then without if", "if-then-else: ignore else without if",
      "if-then-else: non-interference across combined schemas",
    ],
    "control characters in a regular expression by their letters, which Swift's do not know": [
      #"optional/ecmascript-regex: ECMA 262 regex escapes control codes with \c and upper letter"#,
      #"optional/ecmascript-regex: ECMA 262 regex escapes control codes with \c and lower letter"#,
    ],
    "references to other documents": [
      "defs: validate definition against metaschema", "ref: remote ref, containing refs itself",
    ],
    "references other than #/$defs/NAME: a definition has one name": [
      "unevaluatedProperties: unevaluatedProperties + single cyclic ref",
      "unevaluatedProperties: unevaluatedProperties with $dynamicRef", "ref: root pointer ref",
      "ref: relative pointer ref to object", "ref: relative pointer ref to array",
    ],
    "$id, $anchor and $defs below the root: a schema is one document with one list of definitions": [
      "ref: Recursive references between schemas", "ref: refs with relative uris and defs",
      "ref: relative refs with absolute uris and defs",
      "ref: $id must be resolved against nearest parent, not just immediate parent",
      "ref: order of evaluation: $id and $ref", "ref: order of evaluation: $id and $anchor and $ref",
      "ref: simple URN base URI with $ref via the URN", "ref: URN base URI with URN and JSON pointer ref",
      "ref: URN base URI with URN and anchor ref", "ref: URN ref with nested pointer ref", "ref: ref to if",
      "ref: ref to then", "ref: ref to else", "ref: ref with absolute-path-reference",
      "ref: empty tokens in $ref json-pointer",
    ],
  ]

  /// Where Swift's regular expressions differ from those of ECMA-262; nothing in a schema of the kit asks for it.
  private static let different: Set<String> = [
    #"optional/ecmascript-regex: ECMA 262 \s matches whitespace: zero-width whitespace matches"#,
    #"optional/ecmascript-regex: ECMA 262 \S matches everything but whitespace: zero-width whitespace does not match"#,
  ]

  private static let folder = Bundle.module.bundleURL.appending(path: "JSON-Schema-Test-Suite")

  static let files: [String] = {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  private static func groups(of file: String) throws -> [JSON] {
    let text = try Data(contentsOf: folder.appending(path: "\(file).json"))
    return try #require(JSON(parsing: text).array)
  }

  private static func name(of group: JSON, in file: String) -> String {
    "\(file): \(group["description"]?.string ?? "")"
  }

  @Test func theSuiteIsThereAndHasWhatIsRefused() throws {
    #expect(Self.files.count == 35)
    let names = try Self.files.flatMap { file in try Self.groups(of: file).map { Self.name(of: $0, in: file) } }
    #expect(Self.refused.values.flatMap { $0 }.filter { !names.contains($0) } == [])
  }

  @Test(arguments: files)
  func keywordsMeanWhatTheSuiteSays(file: String) throws {
    for group in try Self.groups(of: file) {
      let name = Self.name(of: group, in: file)
      let isRefused = Self.refused.values.contains { $0.contains(name) }
      let schema: JSONSchema
      do {
        schema = try JSONSchema(try #require(group["schema"]))
        #expect(!isRefused, "\(name) is read")
      } catch let problem as JSONField.Problem {
        #expect(isRefused, "\(name): \(problem)")
        continue
      }
      for test in try #require(group["tests"]?.array) {
        let problems = schema.validate(try #require(test["data"]))
        let isDifferent = Self.different.contains("\(name): \(test["description"]?.string ?? "")")
        #expect((problems.isEmpty == test["valid"]?.bool) != isDifferent, "\(name): \(test): \(problems)")
      }
    }
  }
}
