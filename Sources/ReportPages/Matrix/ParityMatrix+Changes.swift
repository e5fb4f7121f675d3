extension ParityMatrix {
  /// One sentence for each difference from an earlier matrix. Cells are compared if the format is Markdown, and lines
  /// otherwise. Line ends, and blanks beside cells or at the end of lines, make no difference.
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

  /// The parts of a text that are compared, each with the name of its place.
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

  /// The parts of a matrix in Markdown, each with the name of its place. The name of a cell consists of heading,
  /// feature and column. The name of a note consists of its subject and feature. The name of a line below a note
  /// consists of the note and the line's subject. The name of any other line is its text.
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

  /// Whether a cell is a part of the line between the head and the body of a table.
  private static func isRule(_ cell: String) -> Bool { cell.contains("-") && cell.allSatisfy { "-:".contains($0) } }

  /// The subject of a line below a note: a requirement, a capability, or the untested part.
  private static func subject(of line: some StringProtocol) -> String {
    let ends = [" is ", " was ", ":"].compactMap { line.firstRange(of: $0)?.lowerBound }
    return String(line[..<(ends.min() ?? line.endIndex)])
  }
}
