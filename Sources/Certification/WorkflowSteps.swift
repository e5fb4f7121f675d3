/// The lines of a CI configuration file that may execute something.
struct WorkflowSteps {
  /// The lines, with their numbers. `text` is the whole line without blanks at its ends, so that people recognise it.
  /// `command` is the part of the line that may execute something.
  private(set) var lines: [(number: Int, text: String, command: String)] = []

  /// Reads the lines of a file. Leaves out comments, names, keys without a value, and mappings that are switched off,
  /// such as a step with `if: false`.
  init(_ all: [(number: Int, text: String)]) {
    let off = Self.switchedOff(all.map(\.text))
    lines = all.enumerated().filter { !off.contains($0.offset) && Self.isStep($0.element.text.trimmed) }.map {
      ($0.element.number, $0.element.text.trimmed, Self.command($0.element.text.trimmed))
    }
  }

  private static func isStep(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("#") && !text.hasPrefix("//")
      && text.firstMatch(of: /^(- *)?(name|stage|image|branches|on|id|if|needs|displayName)\s*:/) == nil
      && text.wholeMatch(of: /(- *)?['"]?[\w.-]+['"]?:?/) == nil
  }

  /// The shell commands in a line, without those that only print, such as `echo`.
  private static func command(_ text: String) -> String {
    text.split(separator: /&&|\|\||;|\|/).filter { part in
      part.firstMatch(of: /^\s*(- +)?([\w-]+:\s*)?['"\[]*\s*(echo|printf|true|:)(\s|$)/) == nil
    }.joined(separator: ";")
  }

  /// The indices of the lines that belong to YAML mappings which are switched off.
  private static func switchedOff(_ lines: [String]) -> Set<Int> {
    var off: Set<Int> = []
    for (offset, line) in lines.enumerated() {
      let isOff = /\s*(- +)*((if|condition|enabled)\s*:\s*['"]?(\$\{\{\s*)?false|when\s*:\s*never)[\s}'"]*(#.*)?/
      if line.wholeMatch(of: isOff) != nil { off.formUnion(mapping(around: offset, in: lines)) }
    }
    return off
  }

  /// The indices of all lines of a mapping. The line at `offset` is a key of this mapping.
  private static func mapping(around offset: Int, in lines: [String]) -> ClosedRange<Int> {
    let column = content(lines[offset])
    func isInside(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) || indentation(line) >= column }
    var (first, last) = (offset, offset)
    if indentation(lines[offset]) == column {
      while first > 0, isInside(lines[first - 1]) { first -= 1 }
      // The line with the dash of the mapping is its first line.
      if first > 0, content(lines[first - 1]) == column { first -= 1 }
    }
    while last + 1 < lines.count, isInside(lines[last + 1]) { last += 1 }
    return first...last
  }

  private static func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  /// The column at which the text of a line begins, after the blanks and dashes.
  private static func content(_ line: String) -> Int {
    line.prefixMatch(of: /\s*(- +)*/).map { line.distance(from: line.startIndex, to: $0.range.upperBound) } ?? 0
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmed: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
  }
}
