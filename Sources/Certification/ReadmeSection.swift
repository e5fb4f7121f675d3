/// A section of a README in Markdown or reStructuredText.
struct ReadmeSection: Hashable {
  var title: String
  var line: Int
  /// The level of the heading; 1 is the highest.
  var level: Int
  /// Whether the section, or a section below it, contains a line of text. A placeholder such as `TODO` is not text.
  var hasText = false

  /// The sections of a file with these lines, in order.
  static func all(in lines: [(number: Int, text: String)]) -> [ReadmeSection] {
    var sections: [ReadmeSection] = []
    var isCode = false
    for (index, line) in lines.enumerated() {
      let text = line.text.drop { $0 == " " }
      if text.hasPrefix("```") { isCode.toggle() }
      let next = index + 1 < lines.count ? lines[index + 1].text : ""
      if !isCode, let heading = heading(line.text, next) {
        sections.append(ReadmeSection(title: heading.title, line: line.number, level: heading.level))
      } else if !text.isEmpty, underline(line.text) == nil, !isPlaceholder(text) {
        markText(&sections)
      }
    }
    return sections
  }

  /// Whether a line does not count as text: it only announces a text, as `TODO` does, or it has neither letters nor
  /// digits.
  private static func isPlaceholder(_ line: Substring) -> Bool {
    guard line.contains(where: { $0.isLetter || $0.isNumber }) else { return true }
    let words =
      /[^\w<]*(<!--.*|(todo|tbd|tba|fixme|wip|coming soon|work in progress|to be (added|defined|done|written))\b.*)/
    return line.wholeMatch(of: words.ignoresCase()) != nil
  }

  /// Marks the last section, and the sections that contain it, as sections with text.
  private static func markText(_ sections: inout [ReadmeSection]) {
    var level = Int.max
    for index in sections.indices.reversed() where sections[index].level < level {
      sections[index].hasText = true
      level = sections[index].level
    }
  }

  private static func heading(_ line: String, _ next: String) -> (title: String, level: Int)? {
    if let match = line.wholeMatch(of: /(#{1,6})\s+(.*?)[\s#]*/) { return (String(match.2), match.1.count) }
    guard let level = underline(next), let first = line.first, first.isLetter || first.isNumber else { return nil }
    return (line, level)
  }

  /// If this line is the underline of a heading: the level of that heading. Otherwise nil.
  private static func underline(_ line: String) -> Int? {
    guard line.count >= 3, let mark = line.first, line.allSatisfy({ $0 == mark }) else { return nil }
    return mark == "=" ? 1 : mark == "-" ? 2 : mark == "~" || mark == "^" ? 3 : nil
  }
}
