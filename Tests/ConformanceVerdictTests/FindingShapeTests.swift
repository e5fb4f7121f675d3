import ConformanceVerdict
import JSONKit
import Testing

/// Two violations have one shape if they differ in values alone.
@Suite struct FindingShapeTests {
  private static func finding(
    _ observed: String, expected: String = "3", subject: String = "event requests", path: JSONPath = .root
  ) -> Finding {
    Finding(subject: subject, path: path, expected: expected, observed: observed)
  }

  @Test(
    arguments: [
      (finding("1"), finding("2"), true), (finding("1"), finding("4"), false), (finding("7"), finding("12"), true),
      (finding("\"a\""), finding("\"b\""), true), (finding("\"a\""), finding("\"\""), false),
      (finding("\"a\""), finding("{\"a\":1}"), false), (finding("[]"), finding("[1]"), false),
      (finding("nothing"), finding("nothing; 2 came near"), true), (finding("null"), finding("nothing"), false),
      (finding("\"a\"", expected: "\"x\""), finding("\"b\"", expected: "\"y\""), true),
      (finding("1"), finding("1", expected: "2"), false),
      (finding("1"), finding("1", subject: "install requests"), false),
      (
        finding("1", path: JSONPath([.key("a"), .index(0)])), finding("1", path: JSONPath([.key("a"), .index(7)])), true
      ),
      (finding("1", path: JSONPath([.key("a")])), finding("1", path: JSONPath([.key("b")])), false),
    ] as [(Finding, Finding, Bool)])
  func aShapeHasNoValues(one: Finding, other: Finding, isSame: Bool) {
    #expect(([one].shape == [other].shape) == isSame)
  }

  @Test func aShapeIsASetOfSixteenDigits() {
    let (one, other) = (Self.finding("1"), Self.finding("\"a\""))
    #expect([one, other].shape == [other, one, one].shape)
    #expect([one, other].shape != [one].shape)
    #expect([one].shape.wholeMatch(of: /[0-9a-f]{16}/) != nil)
  }
}
