import JSONKit
import Testing

@testable import HTTPValues

@Suite struct OctetsTests {
  /// RFC 8259 lets a reader ignore a byte order mark and keep one of several members.
  @Test(
    arguments: [
      ([0x7B, 0x7D], "{}"), ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "{}"), (Array(#"{"a":1,"a":2}"#.utf8), #"{"a":2}"#),
      ([0xFF, 0xFE, 0x7B, 0], nil), ([0x7B, 0, 0x7D, 0], nil), ([0x1F, 0x8B], nil), ([], nil),
    ] as [([UInt8], String?)])
  func whatAReaderMayTolerateIsTolerated(bytes: [UInt8], json: String?) {
    #expect(Octets(bytes).toleratedJSON?.compactText == json)
  }
}
