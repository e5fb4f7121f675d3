import ConformanceVerdict
import JSONKit

/// Reads a run record line by line, and validates each line against the lines before it.
///
/// An unfinished last line, or a missing `end`, is not an error, since a killed run leaves such a record.
package struct RunRecordReader: ~Copyable {
  private var lines: JSONLinesReader<RunRecord.Line>
  private var checks: RunRecordChecks
  private var seal: RecordSeal
  /// The first line of the record.
  package let header: RunRecord.Header

  /// Opens a record and reads its header. Throws ``FileProblem`` or ``LineProblem``.
  package init(_ path: String) throws { try self.init(JSONLinesReader(path)) }

  /// Reads the header of a record whose bytes were read before. The path appears only in error messages.
  package init(_ bytes: [UInt8], of path: String) throws {
    try self.init(JSONLinesReader(bytes, of: path) { field, _ throws(JSONField.Problem) in try RunRecord.Line(field) })
  }

  private init(_ reader: consuming JSONLinesReader<RunRecord.Line>) throws {
    var lines = reader
    var seal = RecordSeal()
    let first = try lines.nextWithBytes()
    guard case (.run(let header), let bytes)? = first else {
      let found = first != nil ? "another line" : lines.isCut ? "part of a line" : "nothing"
      throw lines.problem(expected: "the 'run' line that begins a run record", found: found)
    }
    do throws(JSONField.Problem) { try seal.take(bytes) } catch {
      throw lines.problem(field: error.path, expected: error.expected, found: error.found)
    }
    self.header = header
    self.lines = lines
    self.seal = seal
    checks = RunRecordChecks(header)
  }

  /// The number of the last returned line, counted from 1.
  package var line: Int { lines.line }

  /// Returns the next line after the header; nil at the end of the file. Throws ``FileProblem`` or ``LineProblem``.
  package mutating func next() throws -> RunRecord.Line? {
    guard let (line, bytes) = try lines.nextWithBytes() else { return nil }
    do throws(JSONField.Problem) {
      // Contradictions are checked before the digest, since a contradiction explains more.
      try checks.take(line)
      try seal.take(bytes)
    } catch {
      throw problem(error)
    }
    return line
  }

  /// Adds the file and the number of the last returned line to a problem.
  package func problem(_ problem: JSONField.Problem) -> LineProblem {
    lines.problem(field: problem.path, expected: problem.expected, found: problem.found)
  }
}

extension RunRecord {
  /// Reads a whole record. `audit` gets each line, and can refuse it with an error. Throws ``FileProblem`` or
  /// ``LineProblem``.
  package init(
    readingFrom path: String, audit: (RunRecord.Line) throws(JSONField.Problem) -> Void = { _ in }
  ) throws {
    try self.init(RunRecordReader(path), audit: audit)
  }

  /// Reads the lines after the header. Throws ``FileProblem`` or ``LineProblem``.
  package init(
    _ reader: consuming RunRecordReader, audit: (RunRecord.Line) throws(JSONField.Problem) -> Void = { _ in }
  ) throws {
    self.init(header: reader.header)
    do throws(JSONField.Problem) { try audit(.run(reader.header)) } catch { throw reader.problem(error) }
    while let line = try reader.next() {
      do throws(JSONField.Problem) { try audit(line) } catch { throw reader.problem(error) }
      add(line)
    }
  }
}
