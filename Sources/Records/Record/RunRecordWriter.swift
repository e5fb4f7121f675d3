import ConformanceVerdict
import Files
import Synchronization

/// Writes a run record line by line during the run, so that a killed run leaves valid evidence.
///
/// Several tasks may write lines at the same time. Each line is written completely before the call returns.
package final class RunRecordWriter: Sendable {
  /// The record that the file contains so far, and its hash chain.
  private struct State {
    var record: RunRecord
    var seal = RecordSeal()
  }

  private let file: OutputFile
  private let state: Mutex<State>

  /// Opens the file at this path, empties it if it exists, and writes the header.
  package convenience init(_ path: String, header: RunRecord.Header) throws(FileProblem) {
    try self.init(OutputFile(path), header: header)
  }

  /// Writes the header to an empty file.
  package init(_ file: OutputFile, header: RunRecord.Header) throws(FileProblem) {
    self.file = file
    state = Mutex(State(record: RunRecord(header: header)))
    try write(.run(header))
  }

  /// The record so far, as a reader of the file would read it.
  package var record: RunRecord { state.withLock(\.record) }

  /// The identity and the present length of the written file, so that a caller can notice if another file is now at its
  /// path.
  package var written: WrittenFile? { file.written }

  /// Writes one line. The line is in the file when the call returns.
  package func write(_ line: RunRecord.Line) throws(FileProblem) {
    let bytes = line.compactBytes
    // The digest of a line depends on the lines before it, so the lock covers both steps.
    try state.withLock { (state) throws(FileProblem) in
      var seal = state.seal
      try file.write(seal.seal(bytes) + [0x0A])
      state.seal = seal
      state.record.add(line)
    }
  }

  /// Writes the last line and closes the file.
  package func finish(_ end: RunRecord.End) throws(FileProblem) {
    try write(.end(end))
    try file.finish()
  }

  /// Writes the last line, calls `views`, and closes the file. `views` writes the files that are made from the record.
  /// If one of these steps throws an error, `other` makes a new last line from the error, and this line replaces the
  /// first one. Returns the last line of the file.
  package func finish(
    _ end: RunRecord.End, with views: () throws -> Void, orElse other: (any Error) -> RunRecord.End
  ) throws -> RunRecord.End {
    let length = file.length
    let before = state.withLock { $0 }
    do {
      try write(.end(end))
      try views()
      try file.finish()
      return end
    } catch {
      let end = other(error)
      // The removed line was never published. The new line follows the line before the removed line.
      try file.cut(to: length)
      state.withLock { $0 = before }
      try finish(end)
      return end
    }
  }
}
