import JSONKit

extension String {
  /// The text, escaped for a cell of a Markdown table or a list item. No part of it becomes markup or a link or, on
  /// GitHub, a mention or a reference to an issue.
  package var escapedForMarkdown: String {
    let text = visibleOnOneLine.map { "\\`*_[]<>|~&$".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      .replacing("://", with: "\\://").replacing(/(?i)www\./) { "\($0.output.dropLast())\\." }
    // GitHub searches for these signs after the Markdown is rendered, when backslashes are gone.
    return text.replacing(/[@#]/) { "\($0.output)&#8203;" }.replacing(/(?i)gh-(?=[0-9])/) { "\($0.output)&#8203;" }
  }

  /// The text as a CSV field (RFC 4180). An apostrophe is inserted before text that a spreadsheet would interpret as a
  /// formula. This includes text after `;` or a tab, at which some programs also separate fields.
  package var escapedForCSV: String {
    var (text, mayBegin) = ("", true)
    for scalar in unicodeScalars {
      if mayBegin, "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(scalar) { text += "'" }
      text.unicodeScalars.append(scalar)
      // Some spreadsheets recognise a formula behind a blank or a quote.
      mayBegin = ";,\t\r\n".unicodeScalars.contains(scalar) || mayBegin && " \"'".unicodeScalars.contains(scalar)
    }
    guard text.unicodeScalars.contains(where: { ",;\"\t\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
