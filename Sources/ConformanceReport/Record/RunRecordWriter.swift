import ConformanceModel

/// Writes a run record line by line as the run goes on, so that a killed run leaves valid evidence.
///
/// Lines may come from several tasks at once; each is written whole before the call returns.
package final class RunRecordWriter: Sendable {
  private let file: OutputFile

  /// Opens exactly this file and writes the header; a file that was there is replaced.
  package init(_ path: String, header: RunRecord.Header) throws(FileProblem) {
    file = try OutputFile(path)
    try write(.run(header))
  }

  /// Writes one line; it is in the file when the call returns.
  package func write(_ line: RunRecord.Line) throws(FileProblem) {
    try file.write(line.representation.compactBytes + [0x0A])
  }

  /// Writes the last line and closes the file.
  package func finish(_ end: RunRecord.End) throws(FileProblem) {
    try write(.end(end))
    try file.finish()
  }
}
