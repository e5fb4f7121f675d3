import Testing

@testable import AdapterProtocol

@Suite struct VisibleBytesTests {
  @Test(arguments: [
    (Array("plain äöü €😀".utf8), "plain äöü €😀"),
    (Array("a\u{1b}[31m\tb\r\0".utf8), "a\\u{1B}[31m\\tb\\r\\u{0}"),
    (Array("\u{feff}\u{202e}\u{2028}".utf8), "\\u{FEFF}\\u{202E}\\u{2028}"),
    ([0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82], "a\\xFF\\xC3b\\xE2\\x82"),
    ([0xED, 0xA0, 0x80, 0x05], "\\xED\\xA0\\x80\\u{5}"),
    ([], ""),
  ])
  func shows(bytes: [UInt8], text: String) {
    #expect(VisibleBytes.text(bytes) == text)
  }

  @Test func cutsAtTheLimit() {
    #expect(VisibleBytes.text([UInt8](repeating: 0x61, count: 200)) == String(repeating: "a", count: 200))
    #expect(
      VisibleBytes.text([UInt8](repeating: 0x61, count: 201)) == String(repeating: "a", count: 200) + "… (201 bytes)")
  }

  @Test(
    arguments: [
      (Array("äöü".utf8), nil), ([0x61, 0xC3, 0xA4, 0xFF], 3), ([0xC3], 0), ([], nil), ([0x61, 0xED, 0xA0, 0x80], 1),
    ] as [([UInt8], Int?)])
  func findsWhatIsNotUTF8(bytes: [UInt8], offset: Int?) {
    #expect(VisibleBytes.firstInvalidOffset(in: bytes) == offset)
  }
}
