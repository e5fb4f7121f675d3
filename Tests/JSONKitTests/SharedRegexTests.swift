import JSONKit
import Testing

@Suite struct SharedRegexTests {
  /// A pattern of a file is read by recursion: one that is too deep is none, and ends nothing.
  @Test(arguments: [("[", "]"), ("(", ")"), ("[(", ")]"), ("(?:", ")"), ("[)", "]"), ("[", ""), ("(", "")])
  func aPatternThatIsTooDeepIsNone(open: String, close: String) {
    let deep = String(repeating: open, count: 4096) + "a" + String(repeating: close, count: 4096)
    #expect(!SharedRegex.isValid(deep))
    #expect(!SharedRegex.finds(deep, in: "a"))
    #expect(!SharedRegex.matches(deep, wholly: "a"))
  }

  @Test(arguments: [#"^[a-z]+(\.[a-z0-9]+)*$"#, #"\[\(\[\("#, #"((((a))))"#, String(repeating: "[(]", count: 100)])
  func aPatternOfUsualDepthIsOne(pattern: String) {
    #expect(SharedRegex.isValid(pattern))
  }

  @Test func escapedBracketsAreNotDeep() {
    #expect(SharedRegex.matches(String(repeating: #"\["#, count: 100), wholly: String(repeating: "[", count: 100)))
  }
}
