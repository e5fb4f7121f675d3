import ConformanceModel
import JSONKit

/// Reads a JSON Lines file value by value, in the memory of one line.
struct JSONLinesReader: ~Copyable {
  private let file: InputFile
  private var buffer: [UInt8] = []
  /// Where the next line begins in the buffer.
  private var start = 0
  private var isAtEnd = false
  /// The line last read, counted from 1; 0 before the first.
  private(set) var line = 0
  /// Whether the file ended within a line: the writer was stopped while it wrote.
  private(set) var isCut = false

  init(_ path: String) throws(FileProblem) { file = try InputFile(path) }

  var path: String { file.path }

  /// The value of the next line; nil at the end, and for a last line that is cut.
  mutating func next<Value: JSONRepresentable>(_ type: Value.Type = Value.self) throws -> Value? {
    guard let (bytes, isWhole) = try nextLine() else { return nil }
    line += 1
    let value: JSON
    do {
      value = try JSON(parsing: bytes)
    } catch {
      isCut = !isWhole
      if isCut { return nil }
      throw problem(expected: error.expected, found: "\(error.found) at byte \(error.offset + 1)")
    }
    do {
      return try Value(JSONField(value))
    } catch {
      throw problem(field: error.path, expected: error.expected, found: error.found)
    }
  }

  /// The problem that the line last read is not what was expected.
  func problem(field: JSONPath = .root, expected: String, found: String) -> LineProblem {
    LineProblem(file: path, line: max(1, line), field: field, expected: expected, found: found)
  }

  /// The bytes of the next line, and whether a line end follows them.
  private mutating func nextLine() throws(FileProblem) -> (ArraySlice<UInt8>, isWhole: Bool)? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return (buffer[start..<end], true)
      }
      if isAtEnd {
        defer { start = buffer.endIndex }
        return start < buffer.endIndex ? (buffer[start...], false) : nil
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.endIndex
      let more = try file.read()
      isAtEnd = more.isEmpty
      buffer += more
    }
  }
}
