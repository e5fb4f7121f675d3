import ConformanceSpec

/// The lines of a YAML text as bytes. This type only changes white space; the YAML parser reads the content.
struct YAMLLines {
  private let lines: [[UInt8]]

  init(_ text: String) { lines = Self.bytes(of: text) }

  /// The lines of a text as bytes. The text is not split by characters: CR LF is one `Character` in Swift, so a split
  /// at the character LF would miss CR LF.
  static func bytes(of text: String) -> [[UInt8]] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  }

  var count: Int { lines.count }

  /// The text without white space at the ends of lines, and with one line end at the end.
  var trimmed: String {
    var kept = lines.map(Self.trimmed)
    while kept.last?.isEmpty == true { kept.removeLast() }
    return String(decoding: Array(kept.joined(separator: [0x0A])) + [0x0A], as: UTF8.self)
  }

  /// The numbers of the lines that end in white space, from 1.
  var untidy: [Int] {
    lines.indices.filter { Self.trimmed(lines[$0]).count < lines[$0].count }.map { $0 + 1 }
  }

  /// The text in which only one line is trimmed.
  func trimmed(only number: Int) -> String {
    var changed = lines
    changed[number - 1] = Self.trimmed(changed[number - 1])
    return String(decoding: Array(changed.joined(separator: [0x0A])), as: UTF8.self)
  }

  /// The number of spaces at the beginning of each line.
  var indentations: [Int] { lines.map { line in line.prefix { $0 == 0x20 }.count } }

  private static func trimmed(_ line: [UInt8]) -> [UInt8] {
    var line = line
    while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
    return line
  }
}
