/// Writes values as JSON text in UTF-8, members in their order and numbers as they were written.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// On one line without spaces. What stands around values goes out as a byte: a text of one takes as long as a value.
  mutating func write(_ value: JSON) {
    switch value {
    case .null: append("null")
    case .bool(let isTrue): append(isTrue ? "true" : "false")
    case .number(let number): append(number.lexeme)
    case .string(let text): writeString(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        writeString(member.key)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Over several lines, indented by two spaces; empty containers stay on one line.
  mutating func writePretty(_ value: JSON, depth: Int = 0) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      append("[")
      for (index, element) in elements.enumerated() {
        beginLine(depth + 1, isFirst: index == 0)
        writePretty(element, depth: depth + 1)
      }
      endLines(depth, with: "]")
    case .object(let object) where !object.members.isEmpty:
      append("{")
      for (index, member) in object.members.enumerated() {
        beginLine(depth + 1, isFirst: index == 0)
        writeString(member.key)
        append(": ")
        writePretty(member.value, depth: depth + 1)
      }
      endLines(depth, with: "}")
    default: write(value)
    }
  }

  private mutating func beginLine(_ depth: Int, isFirst: Bool) {
    append(isFirst ? "\n" : ",\n")
    append(String(repeating: "  ", count: depth))
  }

  private mutating func endLines(_ depth: Int, with end: String) {
    append("\n")
    append(String(repeating: "  ", count: depth))
    append(end)
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Escapes only what RFC 8259 §7 requires, plus DEL, U+2028 and U+2029 so that one value is one line for every reader.
  private mutating func writeString(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      for start in utf8.indices where Self.isSpecial(utf8[start]) {
        guard let (length, escape) = Self.escape(utf8[start...]) else { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written..<start]))
        append(escape)
        written = start + length
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a character that begins with this byte may need an escape; 0xE2 begins U+2028 and U+2029, and many others.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xE2
  }

  /// The escape of the character at the beginning, and how many bytes it stands for; nil when it needs none.
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
