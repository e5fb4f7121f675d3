import ConformanceModel
import Testing
import TextKit

@Suite struct WildcardTests {
  @Test(arguments: [
    ("a.b", "a.b", true), ("a.b", "a.bc", false), ("a.b", "axb", false), ("", "", true), ("", "a", false),
    ("*", "", true), ("*", "a.b[1]", true), ("**", "", true), ("a*", "a", true), ("a*", "ba", false),
    ("*b", "ab", true), ("*b", "ba", false), ("a*b", "ab", true), ("a*b", "axxb", true), ("a*b", "a", false),
    ("ab*ba", "aba", false), ("ab*ba", "abba", true), ("a*c*e", "abcde", true), ("a*c*e", "abde", false),
    ("*b*b*", "abxb", true), ("*b*b*", "ab", false), ("*c*b*", "bc", false), ("a[*]", "a[1]", true),
    ("a[*]", "a", false), ("a*b*c", "abc", true), ("a*bc*c", "abc", false), ("É*", "É1", true),
  ])
  func aStarStandsForAnyText(pattern: String, name: String, isMatch: Bool) {
    #expect(Wildcard(pattern).matches(name) == isMatch)
  }
}
