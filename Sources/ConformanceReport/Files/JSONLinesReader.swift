import ConformanceModel
import Dispatch
import JSONKit
import Synchronization

/// Reads a JSON Lines file value by value, in the memory of two pieces of it or of the longest line.
///
/// The lines of a piece are read on all processors; whoever asks gets them one after the other, while those of the next
/// piece are read.
struct JSONLinesReader<Value: Sendable>: ~Copyable {
  /// What makes a value of a line, which is counted from 1.
  typealias Decoder = @Sendable (_ field: JSONField, _ line: Int) throws(JSONField.Problem) -> Value

  private struct Line {
    var bytes: [UInt8]
    /// Whether a line end follows.
    var isWhole: Bool
    var value: Result<Value, Fault>
  }

  /// What is wrong with a line by itself.
  private enum Fault: Error {
    case syntax(JSON.SyntaxError)
    case field(JSONField.Problem)
  }

  /// The lines of a piece of the file, the last one first.
  private final class Piece: Sendable {
    private let lines: Mutex<[Line]>
    /// nil where they were there from the start.
    private let isRead: DispatchSemaphore?

    init(_ lines: [Line]) {
      self.lines = Mutex(lines)
      isRead = nil
    }

    /// A piece whose lines are read meanwhile.
    init(reading read: @escaping @Sendable () -> [Line]) {
      let isRead = DispatchSemaphore(value: 0)
      lines = Mutex([])
      self.isRead = isRead
      // A queue of its own has a thread for certain; those that are shared may all be waiting for one.
      DispatchQueue(label: "conform.lines").async { [self] in
        let read = read()
        lines.withLock { $0 = read }
        isRead.signal()
      }
    }

    /// Gives the lines away, once. Blocks until they are read.
    func take() -> [Line] {
      isRead?.wait()
      return lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  /// How much of the file is read at once. Waking the other processors takes as long as to read some lines.
  private static var pieceBytes: Int { 1 << 18 }

  private let decode: Decoder
  private var file: InputFile
  /// The lines that were read and not asked for, the last one first.
  private var lines: [Line] = []
  /// What was read and is no whole line.
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// The piece behind the one whose lines are asked for, or why it could not be read; nil where nobody has looked.
  private var ahead: Result<Piece, any Error>?
  /// Whether as much came as was asked for when the file was last read: then there is more at once, most likely.
  private var isFull = false
  /// How many lines were cut off so far.
  private var cutLines = 0
  /// The line last read, counted from 1; 0 before the first.
  private(set) var line = 0
  /// Whether the file ended within a line: the writer was stopped while it wrote.
  private(set) var isCut = false

  init(_ path: String, decode: @escaping Decoder) throws(FileProblem) {
    self.decode = decode
    file = try InputFile(path)
  }

  var path: String { file.path }

  /// The value of the next line; nil at the end, and for a last line that is cut.
  mutating func next() throws -> Value? { try nextWithBytes()?.value }

  /// The value of the next line and the bytes that hold it; nil at the end, and for a last line that is cut.
  mutating func nextWithBytes() throws -> (value: Value, bytes: [UInt8])? {
    guard let next = try nextLine() else { return nil }
    line += 1
    switch next.value {
    case .success(let value): return (value, next.bytes)
    case .failure(.field(let problem)):
      throw self.problem(field: problem.path, expected: problem.expected, found: problem.found)
    case .failure(.syntax(let error)):
      isCut = !next.isWhole
      if isCut { return nil }
      throw problem(expected: error.expected, found: "\(error.found) at byte \(error.offset + 1)")
    }
  }

  /// The problem that the line last read is not what was expected.
  func problem(field: JSONPath = .root, expected: String, found: String) -> LineProblem {
    LineProblem(file: path, line: max(1, line), field: field, expected: expected, found: found)
  }

  private mutating func nextLine() throws -> Line? {
    while lines.isEmpty, ahead != nil || !isAtEnd {
      let piece = ahead ?? Result { try nextPiece(meanwhile: false) }
      // Who writes into a pipe may let the next piece wait, and this one is asked for now.
      ahead = nil
      lines = try piece.get().take()
      if isFull { ahead = Result { try nextPiece(meanwhile: true) } }
    }
    return lines.popLast()
  }

  /// The lines that come next; read `meanwhile`, or before it returns.
  private mutating func nextPiece(meanwhile: Bool) throws -> Piece {
    guard rest.count <= Bounds.lineBytes else {
      throw LineProblem(
        file: path, line: cutLines + 1, field: .root, expected: "a line of at most \(Bounds.lineBytes) bytes",
        found: "a longer one")
    }
    let more = try file.read(atMost: Self.pieceBytes)
    isAtEnd = more.isEmpty
    isFull = more.count == Self.pieceBytes
    let (pieces, decode, first) = (cut(more), decode, cutLines + 1)
    cutLines += pieces.count
    let read = { @Sendable in
      [Line](
        pieces.indices.concurrentMap { index in
          let (bytes, isWhole) = pieces[index]
          return Line(bytes: bytes, isWhole: isWhole, value: Self.value(of: bytes, first + index, decode))
        }.reversed())
    }
    return meanwhile ? Piece(reading: read) : Piece(read())
  }

  /// Cuts off the lines that end in these bytes, and at the end of the file what is left.
  private mutating func cut(_ more: [UInt8]) -> [(bytes: [UInt8], isWhole: Bool)] {
    var pieces: [(bytes: [UInt8], isWhole: Bool)] = []
    // What was looked through before has no line end.
    var (start, searched) = (0, rest.count)
    rest += more
    while let end = rest.firstLineFeed(from: searched) {
      pieces.append((Array(rest[start..<end]), true))
      start = end + 1
      searched = start
    }
    if start > 0 { rest = Array(rest[start...]) }
    if isAtEnd, !rest.isEmpty { pieces.append((rest, false)) }
    return pieces
  }

  private static func value(of bytes: [UInt8], _ line: Int, _ decode: Decoder) -> Result<Value, Fault> {
    let json: JSON
    do throws(JSON.SyntaxError) { json = try JSON(parsing: bytes) } catch { return .failure(.syntax(error)) }
    do throws(JSONField.Problem) { return .success(try decode(JSONField(json), line)) } catch {
      return .failure(.field(error))
    }
  }
}

extension JSONLinesReader where Value: JSONRepresentable {
  init(_ path: String) throws(FileProblem) {
    try self.init(path) { field, _ throws(JSONField.Problem) in try Value(field) }
  }
}
