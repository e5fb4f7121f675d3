import ConformanceModel

/// Reads a run record line by line. A last line that is cut, or no `end`, is how a killed run looks, and no error.
package struct RunRecordReader: ~Copyable {
  private var lines: JSONLinesReader
  private var hasEnded = false
  /// The first line of the record.
  package let header: RunRecord.Header

  /// Opens a record and reads its header. Throws ``FileProblem`` or ``LineProblem``.
  package init(_ path: String) throws {
    var lines = try JSONLinesReader(path)
    let first = try lines.next(RunRecord.Line.self)
    guard case .run(let header)? = first else {
      let found = first != nil ? "another line" : lines.isCut ? "part of a line" : "nothing"
      throw lines.problem(expected: "the 'run' line that begins a run record", found: found)
    }
    self.header = header
    self.lines = lines
  }

  /// The next line behind the header; nil at the end of the file. Throws ``FileProblem`` or ``LineProblem``.
  package mutating func next() throws -> RunRecord.Line? {
    guard let line = try lines.next(RunRecord.Line.self) else { return nil }
    if hasEnded { throw lines.problem(expected: "nothing behind the 'end' line", found: "another line") }
    if case .run = line { throw lines.problem(expected: "one 'run' line, the first", found: "another") }
    if case .end = line { hasEnded = true }
    return line
  }
}

extension RunRecord {
  /// Reads a whole record. Throws ``FileProblem`` or ``LineProblem``.
  package init(readingFrom path: String) throws {
    var reader = try RunRecordReader(path)
    self.init(header: reader.header)
    while let line = try reader.next() { add(line) }
  }
}
