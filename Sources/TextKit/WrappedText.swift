extension String {
  /// The text, wrapped between words to lines of at most `width` characters. Each line begins with the margin, which
  /// counts towards the width. A word that is too long for a line is not split, and is alone on its line. Control
  /// characters are made visible before a line is measured.
  package func wrapped(at width: Int, margin: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in visibleOnOneLine.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, margin.count + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [margin + line]
  }
}
