import ConformanceModel
import JSONKit

/// Reads a run record line by line, and believes none of them: each is held against those before it.
///
/// A last line that is cut, or no `end`, is how a killed run looks, and no error.
package struct RunRecordReader: ~Copyable {
  private var lines: JSONLinesReader<RunRecord.Line>
  private var checks: RunRecordChecks
  private var seal: RecordSeal
  /// The first line of the record.
  package let header: RunRecord.Header

  /// Opens a record and reads its header. Throws ``FileProblem`` or ``LineProblem``.
  package init(_ path: String) throws {
    var lines = try JSONLinesReader<RunRecord.Line>(path)
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

  /// The number of the line last read, from 1.
  package var line: Int { lines.line }

  /// The next line behind the header; nil at the end of the file. Throws ``FileProblem`` or ``LineProblem``.
  package mutating func next() throws -> RunRecord.Line? {
    guard let (line, bytes) = try lines.nextWithBytes() else { return nil }
    do throws(JSONField.Problem) {
      // What a line means is looked at first: a contradiction says more than a digest that does not fit.
      try checks.take(line)
      try seal.take(bytes)
    } catch {
      throw problem(error)
    }
    return line
  }

  /// What is wrong with the line last read.
  package func problem(_ problem: JSONField.Problem) -> LineProblem {
    lines.problem(field: problem.path, expected: problem.expected, found: problem.found)
  }
}

extension RunRecord {
  /// Reads a whole record; `audit` sees each line and may refuse it. Throws ``FileProblem`` or ``LineProblem``.
  package init(
    readingFrom path: String, audit: (RunRecord.Line) throws(JSONField.Problem) -> Void = { _ in }
  ) throws {
    try self.init(RunRecordReader(path), audit: audit)
  }

  /// Reads what stands behind the header. Throws ``FileProblem`` or ``LineProblem``.
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
