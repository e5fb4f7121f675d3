/// Writes values as JSON text in UTF-8, with members in their order and numbers as they were read.
package struct JSONWriter: ~Copyable {
  /// The written bytes, with unused room after them. The storage is not an array, since an array checks at each written
  /// byte whether its storage is shared.
  private var space = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
  private var count = 0

  package init() {}

  deinit { space.deallocate() }

  /// The written bytes.
  package var bytes: [UInt8] { Array(space[..<count]) }

  /// Writes a value on one line without spaces.
  package mutating func write(_ value: JSON) {
    switch value {
    case .null: write(plain: "null")
    case .bool(let isTrue): write(plain: isTrue ? "true" : "false")
    case .number(let number): write(plain: number.lexeme)
    case .string(let text): write(text)
    case .array(let elements): write(elements: elements)
    case .object(let object):
      write(byte: UInt8(ascii: "{"))
      for index in object.members.indices { add(object.members[index].key, object.members[index].value) }
      write(byte: UInt8(ascii: "}"))
    }
  }

  /// Writes a line of a JSON Lines file, including the line feed.
  package mutating func write(line value: some JSONEncodable) {
    value.encode(into: &self)
    write(byte: UInt8(ascii: "\n"))
  }

  mutating func write(elements: [some JSONEncodable]) {
    write(byte: UInt8(ascii: "["))
    for index in elements.indices {
      separate(after: UInt8(ascii: "["))
      elements[index].encode(into: &self)
    }
    write(byte: UInt8(ascii: "]"))
  }

  mutating func write(membersOf value: some JSONObjectEncodable) {
    write(byte: UInt8(ascii: "{"))
    value.encodeMembers(into: &self)
    write(byte: UInt8(ascii: "}"))
  }

  /// Writes the comma before a member or element, unless it is the first of its container. It is the first if the last
  /// written byte is the opening bracket: the text of a value never ends with an opening bracket.
  private mutating func separate(after open: UInt8) {
    if space[..<count].last != open { write(byte: UInt8(ascii: ",")) }
  }

  /// Writes a value over several lines, indented by two spaces. An empty object or array is written on one line.
  mutating func writePretty(_ value: JSON, depth: Int = 0) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      write(plain: "[")
      for (index, element) in elements.enumerated() {
        beginLine(depth + 1, isFirst: index == 0)
        writePretty(element, depth: depth + 1)
      }
      endLines(depth, with: "]")
    case .object(let object) where !object.members.isEmpty:
      write(plain: "{")
      for (index, member) in object.members.enumerated() {
        beginLine(depth + 1, isFirst: index == 0)
        write(member.key)
        write(plain: ": ")
        writePretty(member.value, depth: depth + 1)
      }
      endLines(depth, with: "}")
    default: write(value)
    }
  }

  private mutating func beginLine(_ depth: Int, isFirst: Bool) {
    write(plain: isFirst ? "\n" : ",\n")
    write(plain: String(repeating: "  ", count: depth))
  }

  private mutating func endLines(_ depth: Int, with end: String) {
    write(plain: "\n")
    write(plain: String(repeating: "  ", count: depth))
    write(plain: end)
  }

  /// Writes a string. It escapes the characters that RFC 8259 §7 requires, and also DEL, U+2028 and U+2029, so that
  /// every reader sees one line.
  mutating func write(_ text: String) {
    text.utf8.span.withUnsafeBufferPointer { utf8 in
      if !utf8.hasByte(where: Self.isSpecial) {
        reserve(utf8.count + 2)
        put(UInt8(ascii: "\""))
        put(utf8)
        put(UInt8(ascii: "\""))
      } else {
        reserve(utf8.count + 5 * utf8.count(where: Self.isSpecial) + 2)
        put(UInt8(ascii: "\""))
        putEscaped(utf8)
        put(UInt8(ascii: "\""))
      }
    }
  }

  private mutating func putEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var place = 0
    while place < text.count {
      let byte = text[place]
      if Self.isSpecial(byte), let (length, escape) = Self.escape(text[place...]) {
        escape.utf8.span.withUnsafeBufferPointer { put($0) }
        place += length
      } else {
        put(byte)
        place += 1
      }
    }
  }

  /// Whether a character that begins with this byte may need an escape. 0xE2 is the first byte of U+2028, of U+2029 and
  /// of many characters that need no escape.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xE2
  }

  /// The escape of the first character, and the number of bytes that it replaces; nil if the character needs no escape.
  private static func escape(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> (length: Int, escape: String)? {
    switch text[text.startIndex] {
    case UInt8(ascii: "\""): (1, "\\\"")
    case UInt8(ascii: "\\"): (1, "\\\\")
    case UInt8(ascii: "\n"): (1, "\\n")
    case UInt8(ascii: "\r"): (1, "\\r")
    case UInt8(ascii: "\t"): (1, "\\t")
    case 0xE2 where text.starts(with: [0xE2, 0x80, 0xA8]): (3, "\\u2028")
    case 0xE2 where text.starts(with: [0xE2, 0x80, 0xA9]): (3, "\\u2029")
    case 0xE2: nil
    case let control: (1, "\\u00" + (control < 0x10 ? "0" : "") + String(control, radix: 16))
    }
  }
}

extension JSONWriter: JSONMemberSink {
  package mutating func add(_ name: String, _ value: some JSONEncodable) {
    separate(after: UInt8(ascii: "{"))
    write(name)
    write(byte: UInt8(ascii: ":"))
    value.encode(into: &self)
  }
}

extension JSONWriter {
  private mutating func write(byte: UInt8) {
    reserve(1)
    put(byte)
  }

  /// Writes text that contains no character that needs an escape.
  private mutating func write(plain text: String) {
    text.utf8.span.withUnsafeBufferPointer { utf8 in
      reserve(utf8.count)
      put(utf8)
    }
  }

  /// Makes room for this number of further bytes.
  private mutating func reserve(_ more: Int) {
    guard count + more > space.count else { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count + more, 2 * space.count))
    _ = larger.update(fromContentsOf: space[..<count])
    space.deallocate()
    space = larger
  }

  private mutating func put(_ byte: UInt8) {
    space[count] = byte
    count += 1
  }

  private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    _ = space[count...].update(fromContentsOf: bytes)
    count += bytes.count
  }
}
