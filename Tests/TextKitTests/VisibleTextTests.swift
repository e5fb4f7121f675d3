import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("", ""), ("plain äöü €😀 · §", "plain äöü €😀 · §"), ("a\n\r\tb", #"a\n\r\tb"#), ("\r\n", #"\r\n"#),
    ("\u{0}\u{1B}[2J\u{7F}", #"\u{0}\u{1B}[2J\u{7F}"#), ("\u{85}\u{9B}31m", #"\u{85}\u{9B}31m"#),
    ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\u{202E}\u{2066}", #"\u{202E}\u{2066}"#),
    ("\u{FEFF}x\u{200B}", #"\u{FEFF}x\u{200B}"#), ("e\u{301}", "e\u{301}"), ("\u{E000}", "\u{E000}"),
  ])
  func whatNobodySeesOrATerminalObeysIsShown(text: String, shown: String) {
    #expect(text.visibleOnOneLine == shown)
    #expect(String(visible: Array(text.utf8)) == shown)
    #expect(shown.visibleOnOneLine == shown)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82], #"a\xFF\xC3b\xE2\x82"#),
      ([0xED, 0xA0, 0x80, 0x05], #"\xED\xA0\x80\u{5}"#),
    ] as [([UInt8], String)])
  func bytesThatAreNoTextAreShownByNumber(bytes: [UInt8], shown: String) {
    #expect(String(visible: bytes) == shown)
    #expect(String(visible: ([0x20] + bytes).dropFirst()) == shown)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("äöü", 3, "äöü"), ("äöüß", 3, "äö…"), ("", 1, ""),
    ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"),
  ])
  func aCutTextSaysSo(text: String, limit: Int, cut: String) {
    #expect(text.cut(at: limit) == cut)
  }

  @Test func spacesComeBeforeOrBehind() {
    #expect("ä".padded(to: 3) == "ä  ")
    #expect("ä".aligned(to: 3) == "  ä")
    #expect("abcd".padded(to: 3) == "abcd")
    #expect("abcd".aligned(to: 3) == "abcd")
  }

  /// The scalars of which it is known without the table are those of which the table says so.
  @Test func whatIsObeyedIsWhatTheTableOfUnicodeSays() {
    let wrong = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
      let properties = scalar.properties
      let category = properties.generalCategory
      let isObeyed =
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
        || properties.isNoncharacterCodePoint || properties.isDefaultIgnorableCodePoint
      return scalar.isObeyed != isObeyed
    }
    #expect(wrong.first == nil)
  }

  /// Between scalars of any length in UTF-8, each of which is passed over as a whole.
  @Test(arguments: ["a", "\u{E4}", "\u{20AC}", "\u{1F600}"], ["\u{1B}", "\u{AD}", "\u{202E}", "\u{E0001}"])
  func oneHiddenScalarIsSeenBehindScalarsOfAnyLength(other: String, hidden: Unicode.Scalar) {
    for count in 0...9 {
      let before = String(repeating: other, count: count)
      #expect((before + "b").visible(where: \.isObeyed) == before + "b")
      let escape = "\\u{\(String(hidden.value, radix: 16, uppercase: true))}"
      #expect((before + String(hidden) + "b").visible(where: \.isObeyed) == before + escape + "b")
    }
  }

  /// One place of a line that has none of the others makes it visible.
  @Test(arguments: [0, 1, 15, 16, 31, 32, 63])
  func oneHiddenScalarIsSeenWhereverItStands(at place: Int) {
    var line = [Character](repeating: "a", count: 64)
    #expect(String(line).visibleOnOneLine == String(line))
    line[place] = "\u{1B}"
    #expect(String(line).visibleOnOneLine == String(line).replacing("\u{1B}", with: "\\u{1B}"))
  }
}
