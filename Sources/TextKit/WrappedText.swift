extension String {
  /// The words of the text on lines of at most so many characters, each line after this margin; a longer word gets a
  /// line of its own. Control characters are made visible before a line is measured.
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
