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

  /// The value on one line without spaces in UTF-8, members in their order, numbers as they were written.
  public var compactBytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  /// The value on one line without spaces, members in their order, numbers as they were written.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The value over several lines, indented by two spaces; empty containers stay on one line.
  public var prettyText: String {
    var writer = JSONWriter()
    writer.writePretty(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSON: CustomStringConvertible {
  public var description: String { compactText }
}
