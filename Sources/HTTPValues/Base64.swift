/// Base64 with padding, in the alphabet of RFC 4648, section 4.
///
/// It does not use Foundation. Nothing else in an adapter needs Foundation, and Foundation would be more than a quarter
/// of the adapter's program. The size matters, since an adapter starts again at each restart of its app.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func text(of bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for place in 0..<4 {
        characters.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : padding)
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Decodes a text; nil if it is not padded text of the alphabet. The unused bits of the last character before the
  /// padding may have any value.
  package static func bytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    let digits = characters.prefix { $0 != padding }
    guard characters.count.isMultiple(of: 4), characters.count - digits.count <= 2,
      characters[digits.count...].allSatisfy({ $0 == padding })
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var (bits, count) = (UInt32(0), 0)
    for digit in digits {
      guard let value = values[Int(digit)] else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  /// The value of each byte of the alphabet; nil for any other byte.
  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()
}
