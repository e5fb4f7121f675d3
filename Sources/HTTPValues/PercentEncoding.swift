/// The part of percent-encoding (RFC 3986 §2.1) that the kit and its references need.
package enum PercentEncoding {
  /// Encodes every byte outside the unreserved set, so that the text is safe as one path segment or query value.
  package static func encode(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if isUnreserved(byte) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += escape(byte)
      }
    }
  }

  /// Encodes every byte, even bytes that need no escape. The result is equivalent to the text (RFC 3986 §6.2.2.2).
  package static func escape(_ text: String) -> String { text.utf8.map(escape).joined() }

  private static func escape(_ byte: UInt8) -> String {
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// Decodes `%XX`; nil if an escape is incomplete or the bytes are not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    // Most names and values have no escape.
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The text without needless escapes: an escaped unreserved character is equivalent to the character itself (RFC 3986
  /// §6.2.2.2).
  package static func normalize(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let escape = rest.prefix(2)
      guard byte == UInt8(ascii: "%"), escape.count == 2, let high = escape.first.flatMap(hexValue),
        let low = escape.last.flatMap(hexValue), isUnreserved(high << 4 | low)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(high << 4 | low)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The decoded pairs of a query, in order. A pair without `=` has an empty value. A name or value that cannot be
  /// decoded is returned as written.
  package static func queryItems(_ query: String) -> [(name: String, value: String)] {
    rawQueryItems(query).map { name, value in (decode(name) ?? name, decode(value) ?? value) }
  }

  /// The pairs of a query in order, as written; a pair without `=` has an empty value.
  package static func rawQueryItems(_ query: String) -> [(name: String, value: String)] {
    query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return (String(Substring(name)), String(Substring(pair.dropFirst(name.count + 1))))
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
