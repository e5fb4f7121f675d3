import ConformanceModel
import HTTPValues
import RandomValues
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("abcXYZ019-._~", "abcXYZ019-._~"), ("a b", "a%20b"), ("a/b?c&d=e+f#g", "a%2Fb%3Fc%26d%3De%2Bf%23g"),
    ("é✓", "%C3%A9%E2%9C%93"),
    ("%", "%25"), ("\n\0", "%0A%00"), ("", ""),
  ])
  func everythingButTheUnreservedIsEncoded(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded) == text)
    #expect(PercentEncoding.decode(encoded.lowercased())?.lowercased() == text.lowercased())
  }

  @Test(arguments: ["%", "%4", "%4g", "%g4", "a%", "%FF", "%C3", "%ED%A0%80"])
  func whatIsNoEncodingIsNil(text: String) {
    #expect(PercentEncoding.decode(text) == nil)
  }

  /// Only characters that need no escape lose it, whether its digits are upper or lower case. An invalid escape stays.
  @Test(arguments: [
    ("/%45MS11%2DC3FD3/%63", "/EMS11-C3FD3/c"), ("%7e%5F%2e", "~_."), ("a%2Fb%20c%3f", "a%2Fb%20c%3f"),
    ("%C3%A9", "%C3%A9"), ("%%41%4", "%A%4"), ("%zz%", "%zz%"), ("", ""), ("é/x", "é/x"),
  ])
  func whatNeedsNoEscapeHasNone(text: String, normal: String) {
    #expect(PercentEncoding.normalize(text) == normal)
  }

  @Test func plusStaysPlus() {
    #expect(PercentEncoding.decode("a+b") == "a+b")
  }

  @Test(arguments: 0..<100)
  func everyTextSurvives(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let text = random.text()
    #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
  }

  @Test(arguments: [
    ("", []), ("a=1&b=2", ["a=1", "b=2"]), ("a", ["a="]), ("a=", ["a="]), ("a=b=c", ["a=b=c"]),
    ("a=1&a=2", ["a=1", "a=2"]),
    ("&&a=1&", ["a=1"]), ("a%20b=%C3%A9", ["a b=é"]), ("a=%zz", ["a=%zz"]), ("=x", ["=x"]), ("a=x+y", ["a=x+y"]),
  ])
  func queriesAreTakenApart(query: String, items: [String]) {
    #expect(PercentEncoding.queryItems(query).map { "\($0.name)=\($0.value)" } == items)
  }
}
