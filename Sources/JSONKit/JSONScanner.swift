/// A strict, ordered, lossless parser of JSON text (RFC 8259): one pass over bytes, with errors that contain the
/// offset.
struct JSONScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private let maximumDepth: Int

  init(_ bytes: [UInt8], maximumDepth: Int = JSON.maximumDepth) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func scanDocument() throws(JSON.SyntaxError) -> JSON {
    skipWhitespace()
    let value = try scanValue(depth: 0)
    skipWhitespace()
    guard isAtEnd else { throw error("end of text", found: describeNext()) }
    return value
  }

  /// The value of the first member with this name in the object at the beginning of the text; nil if the object has no
  /// such member. The text after the value is not read.
  mutating func scanMember(named name: String) throws(JSON.SyntaxError) -> JSON? {
    skipWhitespace()
    guard take(UInt8(ascii: "{")) else { throw error("an object", found: describeNext()) }
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return nil }
    repeat {
      let member = try scanMember(depth: 0)
      if member.key.hasSameScalars(as: name) { return member.value }
    } while try hasMore(before: UInt8(ascii: "}"))
    return nil
  }

  private mutating func scanValue(depth: Int) throws(JSON.SyntaxError) -> JSON {
    guard depth < maximumDepth else { throw error("nesting of at most \(maximumDepth) levels", found: "more") }
    guard offset < bytes.count else { throw error("a value", found: "end of text") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return try scanObject(depth: depth)
    case UInt8(ascii: "["): return try scanArray(depth: depth)
    case UInt8(ascii: "\""): return .string(try scanString())
    case UInt8(ascii: "t"): return try scanWord("true", as: .bool(true))
    case UInt8(ascii: "f"): return try scanWord("false", as: .bool(false))
    case UInt8(ascii: "n"): return try scanWord("null", as: .null)
    default:
      guard let lexeme = scanNumber() else { throw error("a value", found: describeNext()) }
      return .number(JSON.Number(scanned: lexeme))
    }
  }

  private mutating func scanObject(depth: Int) throws(JSON.SyntaxError) -> JSON {
    offset += 1
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return .object(JSON.Object()) }
    var members: [JSON.Object.Member] = []
    // Few objects have one member, and an array that grows from zero is copied at the second, third and fifth element.
    members.reserveCapacity(4)
    repeat { members.append(try scanMember(depth: depth)) } while try hasMore(before: UInt8(ascii: "}"))
    return .object(JSON.Object(members))
  }

  private mutating func scanMember(depth: Int) throws(JSON.SyntaxError) -> JSON.Object.Member {
    skipWhitespace()
    guard peek() == UInt8(ascii: "\"") else { throw error("a member name in quotes", found: describeNext()) }
    let key = try scanString()
    skipWhitespace()
    guard take(UInt8(ascii: ":")) else { throw error("':' after the member name", found: describeNext()) }
    skipWhitespace()
    return .init(key: key, value: try scanValue(depth: depth + 1))
  }

  private mutating func scanArray(depth: Int) throws(JSON.SyntaxError) -> JSON {
    offset += 1
    var elements: [JSON] = []
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      skipWhitespace()
      elements.append(try scanValue(depth: depth + 1))
    } while try hasMore(before: UInt8(ascii: "]"))
    return .array(elements)
  }

  /// Consumes the comma after a member or an element, or the end of the container. Returns whether another member or
  /// element follows.
  private mutating func hasMore(before end: UInt8) throws(JSON.SyntaxError) -> Bool {
    skipWhitespace()
    if take(end) { return false }
    guard take(UInt8(ascii: ",")) else {
      throw error("',' or '\(UnicodeScalar(end))'", found: describeNext())
    }
    return true
  }

  private mutating func scanString() throws(JSON.SyntaxError) -> String {
    let start = offset
    offset += 1
    // A common string has no escapes and is built from the bytes in place.
    let first = skipPlainCharacters()
    if peek() == UInt8(ascii: "\"") {
      offset += 1
      return try string(bytes.span.extracting(first), at: start)
    }
    var text: [UInt8] = []
    // Escapes are rare. So the rest of the string is usually short, or not longer than the part before the first
    // escape.
    text.reserveCapacity(2 * first.count + 64)
    text += bytes[first]
    while true {
      guard let byte = peek() else { throw error("'\"' that closes the string", found: "end of text", at: start) }
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return try string(text.span, at: start)
      case UInt8(ascii: "\\"): try scanEscape(into: &text)
      default: throw error("no control character in a string", found: "0x" + String(byte, radix: 16))
      }
      text += bytes[skipPlainCharacters()]
    }
  }

  /// Moves to the next byte that ends a string, begins an escape or is not allowed in a string. Returns the range of
  /// the bytes before this byte.
  private mutating func skipPlainCharacters() -> Range<Int> {
    let start = offset
    offset = Self.endOfPlainCharacters(in: bytes.span, from: start)
    return start..<offset
  }

  private static func endOfPlainCharacters(in bytes: Span<UInt8>, from start: Int) -> Int {
    var end = start
    // Eight bytes at a time, as long as all of them are plain.
    while end + 8 <= bytes.count, areAllPlain(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: end, as: UInt64.self)) {
      end += 8
    }
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") {
      end += 1
    }
    return end
  }

  /// Whether each of the eight bytes is at least 0x20, and neither a quote nor a backslash. Subtracting a larger byte
  /// from a smaller one borrows and sets the highest bit of the difference; bytes that already have this bit are masked
  /// out.
  private static func areAllPlain(_ bytes: UInt64) -> Bool {
    let each: UInt64 = 0x0101_0101_0101_0101
    let (quotes, backslashes) = (bytes ^ each &* 0x22, bytes ^ each &* 0x5C)
    let others = (bytes &- each &* 0x20) & ~bytes | (quotes &- each) & ~quotes | (backslashes &- each) & ~backslashes
    return others & (each &* 0x80) == 0
  }

  private func string(_ text: Span<UInt8>, at start: Int) throws(JSON.SyntaxError) -> String {
    guard let text = try? UTF8Span(validating: text) else {
      throw error("valid UTF-8 in a string", found: "other bytes", at: start)
    }
    return String(copying: text)
  }

  private mutating func scanEscape(into text: inout [UInt8]) throws(JSON.SyntaxError) {
    offset += 1
    guard offset < bytes.count else { throw error("an escape", found: "end of text") }
    let letter = bytes[offset]
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(String(Character(try scanUnicodeEscape())).utf8)
    default: throw error("an escape of JSON", found: "\\" + String(UnicodeScalar(letter)), at: offset - 2)
    }
  }

  private mutating func scanUnicodeEscape() throws(JSON.SyntaxError) -> UnicodeScalar {
    let first = try scanHexQuad()
    var value = UInt32(first)
    if (0xD800..<0xDC00).contains(first) {
      guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
        throw error("a low surrogate after a high one", found: describeNext())
      }
      offset += 2
      let second = try scanHexQuad()
      guard (0xDC00..<0xE000).contains(second) else { throw error("a low surrogate", found: "another character") }
      value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    }
    guard let scalar = UnicodeScalar(value) else { throw error("a Unicode character", found: "a lone surrogate") }
    return scalar
  }

  private mutating func scanHexQuad() throws(JSON.SyntaxError) -> UInt16 {
    guard offset + 4 <= bytes.count, let text = String(validating: bytes[offset..<offset + 4], as: UTF8.self),
      text.utf8.allSatisfy({ isHex($0) }), let value = UInt16(text, radix: 16)
    else { throw error("four hexadecimal digits", found: describeNext()) }
    offset += 4
    return value
  }

  /// Consumes the longest number at the offset. Returns nil and leaves the offset unchanged if no number is there.
  mutating func scanNumber() -> String? {
    let start = offset
    if peek() == UInt8(ascii: "-") { offset += 1 }
    if peek() == UInt8(ascii: "0") {
      offset += 1
    } else if skipDigits() == 0 {
      offset = start
      return nil
    }
    if peek() == UInt8(ascii: ".") {
      offset += 1
      if skipDigits() == 0 {
        offset = start
        return nil
      }
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      offset += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
      if skipDigits() == 0 {
        offset = start
        return nil
      }
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func scanWord(_ word: String, as value: JSON) throws(JSON.SyntaxError) -> JSON {
    guard bytes[offset...].starts(with: word.utf8) else { throw error("a value", found: describeNext()) }
    offset += word.utf8.count
    return value
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset - start
  }

  private mutating func skipWhitespace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  private func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  private func describeNext() -> String {
    guard let byte = peek() else { return "end of text" }
    return byte >= 0x21 && byte < 0x7F ? "'\(UnicodeScalar(byte))'" : "byte 0x" + String(byte, radix: 16)
  }

  private func error(_ expected: String, found: String, at place: Int? = nil) -> JSON.SyntaxError {
    JSON.SyntaxError(offset: place ?? offset, expected: expected, found: found)
  }
}
