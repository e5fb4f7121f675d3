import FoundationEssentials
import JSONKit
import Testing

@testable import HTTPValues

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(
    arguments: zip(
      ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
      ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]))
  func isAsTheDocumentShows(text: String, encoded: String) {
    #expect(Base64.text(of: Array(text.utf8)) == encoded)
    #expect(Base64.bytes(of: encoded) == Array(text.utf8))
  }

  @Test(arguments: 0..<70)
  func isWhatOthersWriteAndRead(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count &* 37 &+ 131) }
    let encoded = Data(bytes).base64EncodedString()
    #expect(Base64.text(of: bytes) == encoded)
    #expect(Base64.bytes(of: encoded) == bytes)
  }

  @Test(arguments: ["A", "AA", "AAA", "=", "====", "A===", "AA=A", "AA==AAAA", "AA A", "A-_A", "AAA\n", "AA\u{e9}"])
  func nothingElseIsRead(text: String) {
    #expect(Base64.bytes(of: text) == nil)
    #expect(throws: JSONField.Problem.self) { try Octets(JSONField(["base64": .string(text)])) }
  }

  /// Octets that are not valid UTF-8 are kept unchanged.
  @Test func octetsThatAreNoTextComeBack() throws {
    let octets = Octets([0xFF, 0x00, 0x80])
    #expect(octets.representation == ["base64": "/wCA"])
    #expect(try Octets(JSONField(octets.representation)) == octets)
  }
}
