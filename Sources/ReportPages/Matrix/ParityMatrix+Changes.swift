extension ParityMatrix {
  /// One sentence for each difference from an earlier matrix. In Markdown, the cells are compared, and in CSV and JSON
  /// the lines. Differences in line ends, in blanks beside cells or in blanks at the ends of lines are ignored.
  package static func changes(from earlier: String, to now: String, _ format: Format) -> [String] {
    if earlier == now { return [] }
    let (old, new) = (places(in: earlier, format), places(in: now, format))
    let values = Dictionary(old) { first, _ in first }
    let names = Set(new.map(\.0))
    let changed = new.compactMap { place, text -> String? in
      guard let known = values[place] else { return "\(place): is not there, the records say \(text)" }
      return known == text ? nil : "\(place): says \(known), the records say \(text)"
    }
    let gone = old.filter { !names.contains($0.0) }.map { "\($0.0): says \($0.1), the records say nothing of it" }
    return changed + gone
  }

  /// The parts of a text that are compared: cells and notes, or lines. Each part has the name of its place in the text.
  private static func places(in text: String, _ format: Format) -> [(String, String)] {
    // Swift reads a carriage return with a line feed as one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    return switch format {
    case .markdown: cells(of: lines)
    case .csv, .json: lines.enumerated().filter { !$1.isEmpty }.map { ("line \($0 + 1)", $1.visibleOnOneLine) }
    }
  }

  /// The parts of a matrix in Markdown, each with the name of its place. Each name begins with the heading above the
  /// part. The rest depends on the part. For a cell, it is the feature and the column. For a note, it is the text
  /// before its colon. For a line below a note, it is the note's text before the colon and the line's first words. For
  /// any other line, it is the text before the first colon.
  private static func cells(of lines: [String]) -> [(String, String)] {
    var heading = ""
    var columns: [String] = []
    var note = ""
    var places: [(String, String)] = []
    for line in lines where !line.isEmpty {
      if line.hasPrefix("#") {
        let title = String(line.drop { $0 == "#" || $0 == " " })
        // The notes of a dialect are under their own heading.
        heading = line.hasPrefix("### ") ? "\(heading.prefix { $0 != "," }), \(title)" : title
        (columns, note) = ([], "")
      } else if line.hasPrefix("|") {
        let cells = row(line)
        if columns.isEmpty {
          columns = cells
        } else if !cells.allSatisfy(isRule) {
          for (column, cell) in zip(columns, cells).dropFirst(2) {
            places.append(("\(heading), \(cells[0]) \(cells.count > 1 ? cells[1] : ""), \(column)", cell))
          }
        }
      } else if line.hasPrefix("- ") {
        note = String(line.dropFirst(2).prefix { $0 != ":" })
        places.append(("\(heading), \(note)", "\"\(line)\""))
      } else if line.hasPrefix("  - "), !note.isEmpty {
        places.append(("\(heading), \(note), \(subject(of: line.dropFirst(4)))", "\"\(line.dropFirst(2))\""))
      } else {
        places.append(("\(heading), \"\(line.prefix { $0 != ":" })\"", "\"\(line)\""))
      }
    }
    return places
  }

  /// The cells of a row, without the blanks beside them. A bar after a backslash is a part of a cell.
  private static func row(_ line: String) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped { cells.append("") } else { cells[cells.count - 1].append(character) }
      isEscaped = character == "\\" && !isEscaped
    }
    if cells.last?.allSatisfy({ $0 == " " }) ?? false { cells.removeLast() }
    return cells.map { $0.split(separator: " ").joined(separator: " ") }
  }

  /// Whether a cell belongs to the line of hyphens between the head and the body of a table.
  private static func isRule(_ cell: String) -> Bool { cell.contains("-") && cell.allSatisfy { "-:".contains($0) } }

  /// The first words of a line below a note. They are `not run`, or the name of a requirement, a capability or a
  /// subject.
  private static func subject(of line: some StringProtocol) -> String {
    let ends = [" is ", " was ", ":"].compactMap { line.firstRange(of: $0)?.lowerBound }
    return String(line[..<(ends.min() ?? line.endIndex)])
  }
}
