import JSONKit

/// Reads a JSON text: its value, and the places of all parts of the value in the text. First, a strict parser reads the
/// value. Then this type reads the same bytes and records where members and elements begin.
struct JSONPlaceReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var column = 1

  static func read(_ bytes: [UInt8], file: String) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    let value: JSON
    do {
      value = try JSON(parsing: bytes)
    } catch {
      let position = position(of: error.offset, in: bytes)
      throw Diagnostic(
        rule: "syntax", file: file, line: position.line, column: position.column, expected: error.expected,
        found: error.found)
    }
    var reader = JSONPlaceReader(bytes)
    let place = reader.place(of: value)
    if let (path, position) = duplicate(in: value, place, at: .root) {
      throw Diagnostic(
        rule: "syntax", file: file, line: position.line, column: position.column, field: path,
        expected: "each member once", found: "a second one of this name")
    }
    return (value, place)
  }

  static func position(of offset: Int, in bytes: [UInt8]) -> SpecDocument.Position {
    var reader = JSONPlaceReader(bytes)
    while reader.offset < min(offset, bytes.count) { reader.advance() }
    return reader.position
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var position: SpecDocument.Position { .init(line: line, column: column) }

  private mutating func place(of value: JSON) -> SpecDocument.Place {
    skip(to: { !Self.isBetween($0) })
    var place = SpecDocument.Place(position: position)
    switch value {
    case .array(let elements):
      advance()
      place.children = elements.map { self.place(of: $0) }
      skipClosing()
    case .object(let object):
      advance()
      place.children = object.members.map { member in
        skip(to: { $0 == UInt8(ascii: "\"") })
        let key = position
        skipString()
        var child = self.place(of: member.value)
        child.position = key
        return child
      }
      skipClosing()
    case .string: skipString()
    default: skip(to: { Self.isBetween($0) || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") })
    }
    return place
  }

  /// Whether the byte is white space, a comma or a colon.
  private static func isBetween(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
  }

  private mutating func skipClosing() {
    skip(to: { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") })
    advance()
  }

  private mutating func skipString() {
    advance()
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      if bytes[offset] == UInt8(ascii: "\\") { advance() }
      advance()
    }
    advance()
  }

  private mutating func skip(to isEnd: (UInt8) -> Bool) {
    while offset < bytes.count, !isEnd(bytes[offset]) { advance() }
  }

  private mutating func advance() {
    guard offset < bytes.count else { return }
    if bytes[offset] == UInt8(ascii: "\n") {
      (line, column) = (line + 1, 1)
    } else if bytes[offset] & 0xC0 != 0x80 {
      column += 1
    }
    offset += 1
  }

  /// The path and the position of a member that repeats the name of an earlier member of its object; nil if no name is
  /// repeated.
  private static func duplicate(
    in value: JSON, _ place: SpecDocument.Place, at path: JSONPath
  ) -> (JSONPath, SpecDocument.Position)? {
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = duplicate(in: element, place.children[index], at: path.appending(index: index)) { return found }
      }
    case .object(let object):
      if let key = object.duplicateKey, let index = object.keys.lastIndex(of: key) {
        return (path.appending(key: key), place.children[index].position)
      }
      for (member, child) in zip(object.members, place.children) {
        if let found = duplicate(in: member.value, child, at: path.appending(key: member.key)) { return found }
      }
    default: break
    }
    return nil
  }
}
