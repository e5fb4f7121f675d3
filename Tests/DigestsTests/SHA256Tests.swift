import Testing

@testable import Digests

/// Digests as FIPS 180-4 and its examples have them.
@Suite struct SHA256Tests {
  private static func text(_ digest: [UInt8]) -> String { String(decoding: digest.hexadecimal, as: UTF8.self) }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func isTheDigestOfTheStandard(text: String, digest: String) {
    #expect(Self.text(SHA256.hash(text.utf8)) == digest)
    var pieces = SHA256()
    for byte in text.utf8 { pieces.update(CollectionOfOne(byte)) }
    #expect(Self.text(pieces.finalize()) == digest)
  }

  @Test func aCopyAndAnEarlierDigestChangeNothing() {
    var hash = SHA256()
    hash.update("a".utf8)
    var copy = hash
    copy.update("other".utf8)
    _ = hash.finalize()
    hash.update("bc".utf8)
    #expect(hash.finalize() == SHA256.hash("abc".utf8))
    #expect(copy.finalize() == SHA256.hash("aother".utf8))
  }
}
