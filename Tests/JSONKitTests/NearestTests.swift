import Testing

@testable import JSONKit

@Suite struct NearestTests {
  @Test(
    arguments: [
      ("refsue", ["drop", "refuse"], "refuse"),
      ("cal", ["cut", "call"], "call"),
      ("wiat", ["advance", "await", "settle"], "await"),
      ("Call", ["call"], "call"),
      ("trackEvnt", ["trackEvent", "trackRevenue"], "trackEvent"),
      ("LF-OFF-06", ["LF-OFF-016", "LF-OFF-006"], "LF-OFF-006"),
      ("offline", ["queue.size", "offline.capacity"], "offline.capacity"),
      ("cut", ["repeat", "together"], nil),
      ("", ["abc"], nil),
      ("x", [], nil),
    ] as [(String, [String], String?)])
  func theWordMeantIsFound(word: String, known: [String], expected: String?) {
    #expect(Nearest.words(to: word, in: known).first == expected)
    #expect(Nearest.suggestion(for: word, in: known) == expected.map { "did you mean \"\($0)\"?" })
  }

  @Test func aLongTextIsNoMisspeltWord() {
    let page = String(repeating: "event ", count: 100_000)
    #expect(Nearest.words(to: page, in: ["event", page + "s"]) == [])
  }

  @Test func theNearestComesFirstAndThreeAreEnough() {
    let known = ["events", "evens", "event", "eventful", "revent", "other"]
    #expect(Nearest.words(to: "event", in: known) == ["event", "evens", "events"])
  }
}
