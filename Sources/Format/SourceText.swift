import ConformanceSpec
import SpecDocuments

/// The bytes of a YAML or JSON text. It translates the positions that a parser reports into byte offsets.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// The offset at which each line begins.
  private let lines: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The offset of a position. The position counts columns in Unicode scalars.
  func offset(of position: SpecDocument.Position) -> Int {
    guard lines.indices.contains(position.line - 1) else { return bytes.count }
    var offset = lines[position.line - 1]
    var column = 1
    while column < position.column, offset < bytes.count {
      offset += 1
      if offset == bytes.count || bytes[offset] & 0xC0 != 0x80 { column += 1 }
    }
    return offset
  }

  /// Whether a list or a mapping that begins here is written in brackets.
  func isBracket(at offset: Int) -> Bool {
    byte(at: offset).map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } ?? false
  }

  /// The end of a key that begins here, its quotes included.
  func endOfKey(at start: Int) -> Int {
    if let end = endOfQuoted(at: start) { return end }
    var offset = start
    while let byte = byte(at: offset) {
      let isMark = byte == UInt8(ascii: ":") && (self.byte(at: offset + 1).map { $0 <= 0x20 } ?? true)
      if isMark || byte == UInt8(ascii: "\n") { break }
      offset += 1
    }
    return offset
  }

  /// The end of the text, number or word that begins here and has only one line. Its quotes are included.
  func endOfScalar(at start: Int, inBrackets: Bool) -> Int {
    if let end = endOfQuoted(at: start) { return end }
    var offset = start
    while let byte = byte(at: offset), byte != UInt8(ascii: "\n") {
      if inBrackets, Self.flowMarks.contains(byte) { break }
      if byte == UInt8(ascii: "#"), offset > start, bytes[offset - 1] <= 0x20 { break }
      offset += 1
    }
    while offset > start, bytes[offset - 1] <= 0x20 { offset -= 1 }
    return offset
  }

  /// The end of a list or mapping in brackets. `last` is the end of the last part. If the list or mapping has no parts,
  /// `last` is the end of the opening bracket.
  func endOfBrackets(after last: Int) -> Int {
    var offset = last
    while let byte = byte(at: offset) {
      offset += 1
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { break }
      if byte == UInt8(ascii: "#") { offset = endOfLine(from: offset) }
    }
    return offset
  }

  /// The offset of the next line feed, or of the end of the text.
  func endOfLine(from start: Int) -> Int { bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }

  private static let flowMarks: [UInt8] = Array(",[]{}".utf8)

  private func byte(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func endOfQuoted(at start: Int) -> Int? {
    guard let quote = byte(at: start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    var offset = start + 1
    while let byte = byte(at: offset) {
      offset += 1
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { offset += 1 }
      guard byte == quote else { continue }
      // In a text in single quotes, two single quotes mean one single quote.
      if quote == UInt8(ascii: "'"), self.byte(at: offset) == quote { offset += 1 } else { return offset }
    }
    return offset
  }
}
