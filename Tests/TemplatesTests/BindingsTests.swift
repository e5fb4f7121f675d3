import JSONKit
import Testing

@testable import Templates

@Suite("Bindings")
struct BindingsTests {
  private static let below: Bindings = ["a": 1, "b": "below", "deep": ["part": 7]]
  private static let above: Bindings = ["b": "above", "c": true]

  @Test("the later of two bindings has the last word, by name and as a whole")
  func laterWins() {
    let both = Self.below.merging(Self.above)
    #expect(both["a"] == 1)
    #expect(both["b"] == "above")
    #expect(both.values == ["a": 1, "b": "above", "c": true, "deep": ["part": 7]])
    #expect(Self.above.merging(Self.below)["b"] == "below")
  }

  @Test("what is bound to the same values is the same, however it was put together")
  func equality() {
    let both = Self.below.merging(Self.above)
    let flat = Bindings(both.values)
    #expect(both == flat)
    #expect(both.hashValue == flat.hashValue)
    #expect(both != Self.above.merging(Self.below))
    #expect(Self.below.merging([:]) == Self.below)
  }

  @Test("a name that is taken away is nowhere any more, and one that is set is the last word")
  func setting() {
    var both = Self.below.merging(Self.above)
    both["b"] = nil
    #expect(both["b"] == nil)
    both["a"] = "new"
    #expect(both["a"] == "new")
    both = both.merging(["a": "newest"])
    #expect(both["a"] == "newest")
    var alone = Bindings()
    alone["x"] = 1
    alone["x"] = nil
    #expect(alone == [:])
  }

  @Test("a dotted name reaches into a value of any of them, and is bound itself only where it stands so")
  func dottedNames() {
    let both = Self.below.merging(Self.above)
    #expect(both["deep.part"] == 7)
    #expect(!both.binds("deep.part"))
    #expect(both.binds("deep"))
    #expect(both.merging(["deep.part": 8])["deep.part"] == 8)
    #expect(both["b.$capitals"] == "ABOVE")
    #expect(both["b.$escaped"] == "%61%62%6F%76%65")
    #expect(both["b.$capitals.$escaped"] == "%41%42%4F%56%45")
  }

  @Test("only the chosen names are encoded for a URL, with the value that counts")
  func percentEncoding() {
    let both = Bindings(["segment": "a b", "other": "c d", "list": ["e f", 1]]).merging(["segment": "g/h"])
    let encoded = both.percentEncoding(["segment", "list", "absent"])
    #expect(encoded.values == ["segment": "g%2Fh", "other": "c d", "list": ["e%20f", 1]])
  }
}
