import ConformanceTranscript
import Files
import JSONKit

/// A transcript in a file: the header on the first line, then a line for each entry.
package struct TranscriptFile: Hashable, Sendable {
  package var transcript: Transcript
  /// A description of the damage if the end of the file is missing; nil if the file is complete. In both cases, the
  /// transcript contains only valid entries.
  package var damage: String?

  private enum Line: Sendable {
    case header(TranscriptHeader)
    case entry(TranscriptEntry)
  }

  /// Reads a transcript. If the end of the file is missing, the transcript ends with the last complete line. Throws
  /// ``FileProblem`` or ``LineProblem``.
  package init(readingFrom path: String) throws {
    try self.init(JSONLinesReader(path, decode: Self.line))
  }

  /// Reads a transcript from the bytes of a file, like ``init(readingFrom:)``.
  package init(_ bytes: [UInt8], of path: String) throws {
    try self.init(JSONLinesReader(bytes, of: path, decode: Self.line))
  }

  private static func line(_ field: JSONField, _ number: Int) throws(JSONField.Problem) -> Line {
    number == 1 ? .header(try TranscriptHeader(field)) : .entry(try TranscriptEntry(field))
  }

  private init(_ reader: consuming JSONLinesReader<Line>) throws {
    var lines = reader
    guard case .header(let header)? = try lines.next() else {
      let found = lines.isCut ? "part of a line" : "nothing"
      throw lines.problem(expected: "the header of a transcript", found: found)
    }
    transcript = Transcript(header: header)
    while case .entry(let entry)? = try lines.next() {
      // A wrong number shows that a line was lost. Findings would then refer to the wrong entry.
      let expected = transcript.entries.count + 1
      guard entry.number == expected else {
        throw lines.problem(field: JSONPath([.key("n")]), expected: "\(expected)", found: "\(entry.number)")
      }
      transcript.entries.append(entry)
    }
    if lines.isCut {
      damage = "line \(lines.line) is cut off"
    } else if transcript.ending == nil {
      damage = "it stops after entry \(transcript.entries.count), without the entry 'end'"
    }
  }

  /// Writes a transcript to the file at this path, and replaces the content of an existing file. Returns the written
  /// bytes.
  @discardableResult
  package static func write(_ transcript: Transcript, to path: String) throws(FileProblem) -> [UInt8] {
    try write(transcript, to: OutputFile(path))
  }

  /// Writes a transcript to an empty file and closes the file. Returns the written bytes.
  package static func write(_ transcript: Transcript, to file: OutputFile) throws(FileProblem) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(line: transcript.header)
    for entry in transcript.entries { writer.write(line: entry) }
    let lines = writer.bytes
    try file.write(lines)
    try file.finish()
    return lines
  }
}
