import ConformanceSpec

/// Edits of a text, collected while the text is read. Edits that are added twice are applied once.
struct TextEdits: Sendable {
  private var replacements: [Range<Int>: String] = [:]
  /// Whether names and texts are in quotation marks.
  private let isJSON: Bool

  init(isJSON: Bool) { self.isJSON = isJSON }

  mutating func replace(_ range: Range<Int>, with text: String) { replacements[range] = text }

  /// Replaces the key of a member.
  mutating func rename(_ member: SourceNode, to key: String) {
    replace(member.keyRange, with: isJSON ? "\"\(key)\"" : key)
  }

  /// Inserts a dollar sign before a member's key, inside its quotes.
  mutating func addDollar(to member: SourceNode, in text: SourceText) {
    let start = member.keyRange.lowerBound
    let isQuoted = [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(text.bytes[start])
    let place = isQuoted ? start + 1 : start
    replace(place..<place, with: "$")
  }

  /// Replaces a value with a word. Only in JSON, the word gets quotation marks.
  mutating func replaceValue(_ node: SourceNode, with word: String) {
    replace(node.start..<node.end, with: isJSON ? "\"\(word)\"" : word)
  }

  /// Inserts a member after another member of the same mapping. The value of the new member is `word`. Only in JSON, it
  /// gets quotation marks.
  mutating func insert(_ key: String, _ word: String, after member: SourceNode, of mapping: SourceNode) {
    if isJSON {
      replace(member.end..<member.end, with: ", \"\(key)\": \"\(word)\"")
    } else if mapping.isWrittenInBrackets {
      replace(member.end..<member.end, with: ", \(key): \(word)")
    } else {
      let line = "\n" + String(repeating: " ", count: member.indentation) + "\(key): \(word)"
      replace(member.endOfLine..<member.endOfLine, with: line)
    }
  }

  /// Inserts the version of the format before the first member of a file.
  mutating func insertVersion(_ version: Int, in root: SourceNode) {
    guard let first = root.members.first?.node.keyRange.lowerBound else { return }
    let text =
      if isJSON { "\"kit\": \(version), " } else {
        root.isWrittenInBrackets ? "kit: \(version), " : "kit: \(version)\n"
      }
    replace(first..<first, with: text)
  }

  /// The text with all changes made.
  func applied(to text: SourceText) -> String {
    var result: [UInt8] = []
    var offset = 0
    let ordered = replacements.sorted {
      ($0.key.lowerBound, $0.key.upperBound) < ($1.key.lowerBound, $1.key.upperBound)
    }
    for (range, replacement) in ordered where range.lowerBound >= offset {
      result += text.bytes[offset..<range.lowerBound] + Array(replacement.utf8)
      offset = range.upperBound
    }
    return String(decoding: result + text.bytes[offset...], as: UTF8.self)
  }
}
