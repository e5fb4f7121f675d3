import ConformanceModel
import JSONKit

/// Reads a JSON Lines file value by value, in the memory of a piece of it or of the longest line.
///
/// The lines of a piece are read on all processors; whoever asks gets them one after the other.
struct JSONLinesReader: ~Copyable {
  private struct Line {
    var bytes: [UInt8]
    /// Whether a line end follows.
    var isWhole: Bool
    var value: Result<JSON, JSON.SyntaxError>
  }

  private var file: InputFile
  /// The lines that were read and not asked for, the last one first.
  private var lines: [Line] = []
  /// What was read and is no whole line.
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// The line last read, counted from 1; 0 before the first.
  private(set) var line = 0
  /// Whether the file ended within a line: the writer was stopped while it wrote.
  private(set) var isCut = false

  init(_ path: String) throws(FileProblem) { file = try InputFile(path) }

  var path: String { file.path }

  /// The value of the next line; nil at the end, and for a last line that is cut.
  mutating func next<Value: JSONRepresentable>(_ type: Value.Type = Value.self) throws -> Value? {
    try nextWithBytes(type)?.value
  }

  /// The value of the next line and the bytes that hold it; nil at the end, and for a last line that is cut.
  mutating func nextWithBytes<Value: JSONRepresentable>(
    _ type: Value.Type = Value.self
  ) throws -> (value: Value, bytes: [UInt8])? {
    guard let next = try nextLine() else { return nil }
    line += 1
    let value: JSON
    switch next.value {
    case .success(let json): value = json
    case .failure(let error):
      isCut = !next.isWhole
      if isCut { return nil }
      throw problem(expected: error.expected, found: "\(error.found) at byte \(error.offset + 1)")
    }
    do {
      return (try Value(JSONField(value)), next.bytes)
    } catch {
      throw problem(field: error.path, expected: error.expected, found: error.found)
    }
  }

  /// The problem that the line last read is not what was expected.
  func problem(field: JSONPath = .root, expected: String, found: String) -> LineProblem {
    LineProblem(file: path, line: max(1, line), field: field, expected: expected, found: found)
  }

  private mutating func nextLine() throws -> Line? {
    while lines.isEmpty, !isAtEnd {
      guard rest.count <= Bounds.lineBytes else {
        line += 1
        throw problem(expected: "a line of at most \(Bounds.lineBytes) bytes", found: "a longer one")
      }
      let more = try file.read()
      isAtEnd = more.isEmpty
      take(more)
    }
    return lines.popLast()
  }

  /// Cuts off the lines that end in these bytes, and at the end of the file what is left.
  private mutating func take(_ more: [UInt8]) {
    var pieces: [(bytes: [UInt8], isWhole: Bool)] = []
    // What was looked through before has no line end.
    var (start, searched) = (0, rest.count)
    rest += more
    while let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      pieces.append((Array(rest[start..<end]), true))
      start = end + 1
      searched = start
    }
    if start > 0 { rest = Array(rest[start...]) }
    if isAtEnd, !rest.isEmpty { pieces.append((rest, false)) }
    lines = pieces.concurrentMap { bytes, isWhole in
      Line(bytes: bytes, isWhole: isWhole, value: Result { () throws(JSON.SyntaxError) in try JSON(parsing: bytes) })
    }
    lines.reverse()
  }
}
