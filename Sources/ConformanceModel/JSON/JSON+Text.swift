extension JSON {
  /// Text that is not JSON: the byte offset, what the grammar wants there and what stands there.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    public var offset: Int
    public var expected: String
    public var found: String

    public init(offset: Int, expected: String, found: String) {
      self.offset = offset
      self.expected = expected
      self.found = found
    }

    public var description: String { "not JSON at byte \(offset): expected \(expected), found \(found)" }
  }

  /// Reads JSON text strictly: no byte order mark, no trailing commas, no invalid UTF-8, at most 256 levels.
  public init(parsing bytes: some Sequence<UInt8>) throws(SyntaxError) {
    var scanner = JSONScanner(Array(bytes))
    self = try scanner.scanDocument()
  }

  /// Reads JSON text strictly.
  public init(parsing text: String) throws(SyntaxError) {
    try self.init(parsing: text.utf8)
  }

  /// The value on one line without spaces, members in their order, numbers as they were written.
  public var compactText: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The value over several lines, indented by two spaces; empty containers stay on one line.
  public var prettyText: String {
    var text = ""
    writePretty(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += value.lexeme
    case .string(let value): JSON.writeString(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (index, member) in object.members.enumerated() {
        if index > 0 { text += "," }
        JSON.writeString(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private func writePretty(to text: inout String, indent: Int) {
    let inner = String(repeating: "  ", count: indent + 1)
    let outer = String(repeating: "  ", count: indent)
    switch self {
    case .array(let elements) where !elements.isEmpty:
      text += "[\n"
      for (index, element) in elements.enumerated() {
        text += inner
        element.writePretty(to: &text, indent: indent + 1)
        text += index < elements.count - 1 ? ",\n" : "\n"
      }
      text += outer + "]"
    case .object(let object) where !object.members.isEmpty:
      text += "{\n"
      for (index, member) in object.members.enumerated() {
        text += inner
        JSON.writeString(member.key, to: &text)
        text += ": "
        member.value.writePretty(to: &text, indent: indent + 1)
        text += index < object.members.count - 1 ? ",\n" : "\n"
      }
      text += outer + "}"
    default: write(to: &text)
    }
  }

  /// Escapes only what RFC 8259 §7 requires, plus U+2028 and U+2029 so that one value is one line for every reader.
  private static func writeString(_ value: String, to text: inout String) {
    text += "\""
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text += value
    } else {
      for scalar in value.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\u{2028}", "\u{2029}", "\0"..<" ", "\u{7F}":
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}

extension JSON: CustomStringConvertible {
  public var description: String { compactText }
}
