import ConformanceModel
import RandomValues
import Testing

@testable import JSONKit

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ("$", []), ("$.a", [.key("a")]), ("$.a.b[2]", [.key("a"), .key("b"), .index(2)]),
      ("$[0][1]", [.index(0), .index(1)]),
      ("$['a b']", [.key("a b")]), ("$['it\\'s']", [.key("it's")]), ("$['a.b'].c", [.key("a.b"), .key("c")]),
      ("$['']", [.key("")]), ("$.x-y", [.key("x-y")]), ("$['\\\\']", [.key("\\")]), ("$['[0]']", [.key("[0]")]),
    ] as [(String, [JSONPath.Step])])
  func everyPathHasOneSpelling(text: String, steps: [JSONPath.Step]) throws {
    #expect(JSONPath(text)?.steps == steps)
    #expect(JSONPath(steps).description == text)
  }

  @Test(arguments: ["a.b", "$.a.b"])
  func theRootMayBeLeftOut(text: String) {
    #expect(JSONPath(text)?.steps == [.key("a"), .key("b")])
  }

  @Test(arguments: ["$.", "$..a", "$[", "$[]", "$[-1]", "$[a]", "$['a", "$['a'", "$a", "a.", "$[1", "$.a.[0]"])
  func otherTextsAreNoPaths(text: String) {
    #expect(JSONPath(text) == nil)
  }

  @Test(arguments: 0..<100)
  func everyPathSurvivesItsSpelling(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let steps = (0..<random.count(0...4)).map { _ -> JSONPath.Step in
      Bool.random(using: &random) ? .index(random.count(0...12)) : .key(random.text())
    }
    #expect(JSONPath(JSONPath(steps).description)?.steps == steps)
  }

  private static let value: JSON = ["a": ["b": [10, 20]], "c": .null]

  @Test(
    arguments: [
      ("$.a.b[1]", 20), ("$.c", .null), ("$", value), ("$.a.x", nil), ("$.a.b[2]", nil), ("$.c.x", nil), ("$[0]", nil),
    ] as [(String, JSON?)])
  func valuesAreFound(text: String, found: JSON?) throws {
    #expect(Self.value[try #require(JSONPath(text))] == found)
  }

  @Test(
    arguments: [
      ("$.a.b[0]", 5, #"{"a":{"b":[5,20]},"c":null}"#), ("$.a.b[2]", 30, #"{"a":{"b":[10,20,30]},"c":null}"#),
      ("$.a.b[3]", 30, #"{"a":{"b":[10,20]},"c":null}"#), ("$.a.b[0]", nil, #"{"a":{"b":[20]},"c":null}"#),
      ("$.a", nil, #"{"c":null}"#), ("$.x.y", 1, #"{"a":{"b":[10,20]},"c":null,"x":{"y":1}}"#),
      ("$.x.y", nil, #"{"a":{"b":[10,20]},"c":null}"#), ("$.c.x", 1, #"{"a":{"b":[10,20]},"c":null}"#),
      ("$", 1, "1"), ("$", nil, "null"), ("$[0]", 1, #"{"a":{"b":[10,20]},"c":null}"#),
      ("$.c", .null, #"{"a":{"b":[10,20]},"c":null}"#),
    ] as [(String, JSON?, String)])
  func valuesAreSetAddedAndRemoved(text: String, new: JSON?, result: String) throws {
    #expect(Self.value.setting(new, at: try #require(JSONPath(text))).compactText == result)
  }
}
