extension JSON {
  /// The error for text that is not JSON: the byte offset, what was expected there, and what was found.
  package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package var offset: Int
    package var expected: String
    package var found: String

    package init(offset: Int, expected: String, found: String) {
      self.offset = offset
      self.expected = expected
      self.found = found
    }

    package var description: String { "not JSON at byte \(offset): expected \(expected), found \(found)" }
  }

  /// The largest number of levels to which arrays and objects may be nested in a text. People write fewer levels, and a
  /// recursive parser of this depth does not overflow the stack.
  package static let maximumDepth = 256

  /// Reads JSON text strictly: no byte order mark, no trailing commas, no invalid UTF-8, at most ``maximumDepth``
  /// levels.
  package init(parsing bytes: some Sequence<UInt8>) throws(SyntaxError) {
    var scanner = JSONScanner(Array(bytes))
    self = try scanner.scanDocument()
  }

  /// Reads JSON text strictly.
  package init(parsing text: String) throws(SyntaxError) {
    try self.init(parsing: text.utf8)
  }

  /// Reads one member of an object from the object's text. The text after the member is neither read nor checked. nil
  /// if the object does not have the member.
  package init?(member name: String, of bytes: [UInt8]) throws(SyntaxError) {
    var scanner = JSONScanner(bytes)
    guard let value = try scanner.scanMember(named: name) else { return nil }
    self = value
  }

  /// The value on one line without spaces, with members in their order and numbers as they were written.
  package var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The value over several lines, indented by two spaces. An empty object or array is written on one line.
  package var prettyText: String {
    var writer = JSONWriter()
    writer.writePretty(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Like ``prettyText``, but an object or list is written on one line if that line has at most `width` characters.
  package func prettyText(width: Int) -> String { prettyText(width: width, depth: 0, taken: 0) }

  /// - Parameter taken: the number of characters that are on the line before and after this value.
  private func prettyText(width: Int, depth: Int, taken: Int) -> String {
    let line = lineText
    if taken + line.count <= width { return line }
    let indent = String(repeating: "  ", count: depth + 1)
    func element(_ value: JSON, behind name: String = "") -> String {
      indent + name + value.prettyText(width: width, depth: depth + 1, taken: indent.count + name.count + 1)
    }
    switch self {
    case .array(let elements) where !elements.isEmpty:
      return "[\n" + elements.map { element($0) }.joined(separator: ",\n") + "\n\(indent.dropLast(2))]"
    case .object(let object) where !object.members.isEmpty:
      let lines = object.members.map { element($0.value, behind: JSON.string($0.key).compactText + ": ") }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent.dropLast(2))}"
    default: return line
    }
  }

  /// The value on one line, with blanks between its parts.
  private var lineText: String {
    switch self {
    case .array(let elements): "[" + elements.map(\.lineText).joined(separator: ", ") + "]"
    case .object(let object) where !object.members.isEmpty:
      "{ " + object.members.map { JSON.string($0.key).compactText + ": " + $0.value.lineText }.joined(separator: ", ")
        + " }"
    default: compactText
    }
  }
}

extension JSON: CustomStringConvertible {
  package var description: String { compactText }
}
