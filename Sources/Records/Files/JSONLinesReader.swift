import Concurrency
import ConformanceModel
import Dispatch
import Files
import JSONKit
import Synchronization

/// Reads a JSON Lines file value by value. The reader keeps at most two pieces of the file in memory, or more if a line
/// is longer than a piece.
///
/// All processors decode the lines of a piece together. While the caller gets the values of one piece one after
/// another, the processors decode the next piece.
struct JSONLinesReader<Value: Sendable>: ~Copyable {
  /// Decodes the value of a line. Lines are numbered from 1.
  typealias Decoder = @Sendable (_ field: JSONField, _ line: Int) throws(JSONField.Problem) -> Value

  private struct Line {
    var bytes: [UInt8]
    /// Whether the line ends with a line feed.
    var isWhole: Bool
    var value: Result<Value, Fault>
  }

  /// An error in a line, without the name of the file and the number of the line.
  private enum Fault: Error {
    case syntax(JSON.SyntaxError)
    case field(JSONField.Problem)
  }

  /// The decoded lines of a piece of the file, the last one first.
  private final class Piece: Sendable {
    private let lines: Mutex<[Line]>
    /// A semaphore that is signalled when the lines are decoded; nil if they were decoded before the piece was created.
    private let isRead: DispatchSemaphore?

    init(_ lines: [Line]) {
      self.lines = Mutex(lines)
      isRead = nil
    }

    /// A piece whose lines are decoded in the background.
    init(reading read: @escaping @Sendable () -> [Line]) {
      let isRead = DispatchSemaphore(value: 0)
      lines = Mutex([])
      self.isRead = isRead
      // A separate queue always gets a thread. The threads of shared queues may all be waiting.
      DispatchQueue(label: "conform.lines").async { [self] in
        let read = read()
        lines.withLock { $0 = read }
        isRead.signal()
      }
    }

    /// Returns the lines. Blocks until they are decoded. May be called once.
    func take() -> [Line] {
      isRead?.wait()
      return lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  /// The size of a piece in bytes. The file is read in pieces. A piece must be large, since waking the other processors
  /// takes as long as decoding several lines.
  private static var pieceBytes: Int { 1 << 18 }
  /// The number of bytes from which a piece is decoded on all processors. Most transcripts are shorter, and several of
  /// them are read at the same time.
  private static var sharedBytes: Int { 1 << 16 }

  private let decode: Decoder
  /// The file; nil if its bytes were read before and are in ``bytes``.
  private var file: InputFile?
  private var bytes: ArraySlice<UInt8> = []
  let path: String
  /// The decoded lines that were not returned yet, in reverse order.
  private var lines: [Line] = []
  /// The bytes after the last line end that was read: the beginning of the next line.
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// The next piece or the error of reading it; nil if no piece was read ahead.
  private var ahead: Result<Piece, any Error>?
  /// Whether the last read returned as many bytes as requested, so that more bytes probably follow.
  private var isFull = false
  /// The number of lines that were split off so far.
  private var cutLines = 0
  /// The number of the last returned line, counted from 1; 0 if no line was returned yet.
  private(set) var line = 0
  /// Whether the file ended within a line, because its writer was stopped.
  private(set) var isCut = false

  init(_ path: String, decode: @escaping Decoder) throws(FileProblem) {
    self.decode = decode
    self.path = path
    file = try InputFile(path)
  }

  /// A reader of the bytes of a file that were read before.
  init(_ bytes: [UInt8], of path: String, decode: @escaping Decoder) {
    self.decode = decode
    self.path = path
    self.bytes = bytes[...]
    file = nil
  }

  /// Returns the value of the next line; nil at the end, and for an unfinished last line.
  mutating func next() throws -> Value? { try nextWithBytes()?.value }

  /// Returns the value of the next line and its bytes; nil at the end, and for an unfinished last line.
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

  /// Makes an error about the last returned line, with the file and the line's number.
  func problem(field: JSONPath = .root, expected: String, found: String) -> LineProblem {
    LineProblem(file: path, line: max(1, line), field: field, expected: expected, found: found)
  }

  private mutating func nextLine() throws -> Line? {
    while lines.isEmpty, ahead != nil || !isAtEnd {
      let piece = ahead ?? Result { try nextPiece(meanwhile: false) }
      // The writer of a pipe may delay the next piece, and the present piece is needed now.
      ahead = nil
      lines = try piece.get().take()
      if isFull { ahead = Result { try nextPiece(meanwhile: true) } }
    }
    return lines.popLast()
  }

  /// Reads the next piece. If `meanwhile` is true, its lines are decoded in the background. Otherwise they are decoded
  /// before this function returns.
  private mutating func nextPiece(meanwhile: Bool) throws -> Piece {
    guard rest.count <= Bounds.lineBytes else {
      throw LineProblem(
        file: path, line: cutLines + 1, field: .root, expected: "a line of at most \(Bounds.lineBytes) bytes",
        found: "a longer line")
    }
    let more = try nextBytes()
    isAtEnd = more.isEmpty
    isFull = more.count == Self.pieceBytes
    let (pieces, decode, first) = (cut(more), decode, cutLines + 1)
    cutLines += pieces.count
    let line = { @Sendable (index: Int) in
      let (bytes, isWhole) = pieces[index]
      return Line(bytes: bytes, isWhole: isWhole, value: Self.value(of: bytes, first + index, decode))
    }
    guard more.count >= Self.sharedBytes else { return Piece(pieces.indices.reversed().map(line)) }
    let read = { @Sendable in [Line](pieces.indices.concurrentMap(line).reversed()) }
    return meanwhile ? Piece(reading: read) : Piece(read())
  }

  private mutating func nextBytes() throws(FileProblem) -> [UInt8] {
    if let more = try file?.read(atMost: Self.pieceBytes) { return more }
    defer { bytes = bytes.dropFirst(Self.pieceBytes) }
    return Array(bytes.prefix(Self.pieceBytes))
  }

  /// Appends bytes to ``rest``, removes all complete lines from it, and returns them. At the end of the file, an
  /// unfinished last line is returned, too.
  private mutating func cut(_ more: [UInt8]) -> [(bytes: [UInt8], isWhole: Bool)] {
    var pieces: [(bytes: [UInt8], isWhole: Bool)] = []
    // The bytes that were searched before contain no line end.
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
