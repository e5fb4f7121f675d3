import ConformanceModel
import Synchronization

/// Writes a run record line by line as the run goes on, so that a killed run leaves valid evidence.
///
/// Lines may come from several tasks at once; each is written whole before the call returns.
package final class RunRecordWriter: Sendable {
  /// What is in the file.
  private struct State {
    var record: RunRecord
    var seal = RecordSeal()
  }

  private let file: OutputFile
  private let state: Mutex<State>

  /// Opens exactly this file and writes the header; a file that was there is replaced.
  package convenience init(_ path: String, header: RunRecord.Header) throws(FileProblem) {
    try self.init(OutputFile(path), header: header)
  }

  /// Writes the header to a file that is empty.
  package init(_ file: OutputFile, header: RunRecord.Header) throws(FileProblem) {
    self.file = file
    state = Mutex(State(record: RunRecord(header: header)))
    try write(.run(header))
  }

  /// What was written so far: the record that a reader of the file would get, without the reading.
  package var record: RunRecord { state.withLock(\.record) }

  /// What was written so far, to be compared with what is there.
  package var written: WrittenFile? { file.written }

  /// Writes one line; it is in the file when the call returns.
  package func write(_ line: RunRecord.Line) throws(FileProblem) {
    let bytes = line.compactBytes
    // A line is sealed after those that stand before it, so sealing and writing are one.
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

  /// Writes the last line and what is made of the whole record; where that fails, another last line in its place, which
  /// says why. Then closes the file.
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
      // What is taken back was never said: the next line follows on the one before it.
      try file.cut(to: length)
      state.withLock { $0 = before }
      try finish(end)
      return end
    }
  }
}
