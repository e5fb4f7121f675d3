import Testing

@testable import ConformanceTLS

/// Values of ASN.1 as other tools write them.
@Suite struct DERTests {
  @Test(
    arguments: [
      ([0x00], [0x02, 0x01, 0x00]), ([0x7F], [0x02, 0x01, 0x7F]), ([0x80], [0x02, 0x02, 0x00, 0x80]),
      ([0x00, 0x00, 0x01], [0x02, 0x01, 0x01]), ([], [0x02, 0x01, 0x00]),
    ] as [([UInt8], [UInt8])])
  func writesNumbersThatAreNotNegative(magnitude: [UInt8], bytes: [UInt8]) {
    #expect(DER.integer(magnitude) == bytes)
  }

  /// X.690 §8.1.3: up to 127 in one byte, then the bytes of the length behind their number.
  @Test(
    arguments: [
      (127, [0x04, 0x7F]), (128, [0x04, 0x81, 0x80]), (255, [0x04, 0x81, 0xFF]), (256, [0x04, 0x82, 0x01, 0x00]),
      (65536, [0x04, 0x83, 0x01, 0x00, 0x00]),
    ] as [(Int, [UInt8])])
  func writesLengths(count: Int, head: [UInt8]) {
    let value = DER.octets([UInt8](repeating: 7, count: count))
    #expect(value.starts(with: head) && value.count == head.count + count)
  }

  @Test func writesObjectIdentifiers() {
    #expect(DER.object(1, 2, 840, 10045, 4, 3, 2) == [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    #expect(DER.object(2, 5, 29, 17) == [0x06, 3, 0x55, 0x1D, 0x11])
    #expect(DER.object(2, 999) == [0x06, 2, 0x88, 0x37])
  }

  @Test(arguments: [
    (0, "700101000000Z"), (951_782_399, "000228235959Z"), (951_782_400, "000229000000Z"),
    (1_709_251_199, "240229235959Z"), (-1, "691231235959Z"), (2_524_607_999, "491231235959Z"),
    (2_524_608_000, "20500101000000Z"), (4_107_542_400, "21000301000000Z"),
  ])
  func writesInstants(seconds: Int, text: String) {
    let tag: UInt8 = text.count == 13 ? 0x17 : 0x18
    #expect(DER.time(seconds) == [tag, UInt8(text.count)] + Array(text.utf8))
  }
}
