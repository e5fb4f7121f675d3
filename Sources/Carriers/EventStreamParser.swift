import NIOCore

/// Reads server-sent events (HTML Living Standard §9.2.6). It keeps only the data of each event. A byte order mark at
/// the beginning of the stream is skipped.
struct EventStreamParser {
  static let longestEvent = 16 << 20

  private var line = ByteBuffer()
  private var data: ByteBuffer?
  /// Whether the last byte was a carriage return. If a line feed follows, both bytes are one line end.
  private var endedInReturn = false

  /// Whether the next byte or line is the first one of the stream.
  private var (isFirstByte, isFirstLine) = (true, true)
  /// The mistake because of which the stream cannot be read as events; nil if no mistake was found so far.
  private(set) var problem: String?

  /// A sentence about the event whose end has not arrived yet; nil if no event is incomplete.
  var unfinished: String? {
    if line.readableBytes > 0 {
      return "the last line of the stream has no end. It begins: \(Self.beginning(of: line))"
    }
    return data == nil
      ? nil
      : "the last event of the stream is not ended; expected an empty line after the line that begins with 'data:'"
  }

  /// Whether the current event is longer than the limit.
  var isTooLong: Bool { line.readableBytes + (data?.readableBytes ?? 0) > Self.longestEvent }

  /// Reads bytes. Returns the data of each event that ends in these bytes.
  mutating func read(_ bytes: ByteBuffer) -> [ByteBuffer] {
    var bytes = bytes
    var events: [ByteBuffer] = []
    checkFirst(bytes)
    while let first = bytes.readableBytesView.first {
      if endedInReturn, first == UInt8(ascii: "\n") { bytes.moveReaderIndex(forwardBy: 1) }
      endedInReturn = false
      let rest = bytes.readableBytesView
      guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
        line.writeBuffer(&bytes)
        break
      }
      endedInReturn = rest[end] == UInt8(ascii: "\r")
      var piece = bytes.readSlice(length: end - bytes.readerIndex) ?? ByteBuffer()
      bytes.moveReaderIndex(forwardBy: 1)
      line.writeBuffer(&piece)
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  /// Sets ``problem`` if the stream begins like compressed data. The header of the answer did not name a compression.
  private mutating func checkFirst(_ bytes: ByteBuffer) {
    guard isFirstByte, bytes.readableBytes > 0 else { return }
    isFirstByte = false
    if bytes.readableBytesView.starts(with: [0x1F, 0x8B]) {
      problem = "the stream is compressed by gzip, and no header says so; expected plain text"
    }
  }

  private mutating func endLine() -> ByteBuffer? {
    defer { line = ByteBuffer() }
    if isFirstLine, line.readableBytesView.starts(with: [0xEF, 0xBB, 0xBF]) { line.moveReaderIndex(forwardBy: 3) }
    isFirstLine = false
    guard line.readableBytes > 0 else {
      defer { data = nil }
      return data
    }
    let field = Array("data:".utf8)
    guard line.readableBytesView.starts(with: field) else {
      // Other fields of events are ignored, as the standard says, but no field begins like a message.
      if let first = line.readableBytesView.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        problem =
          "the stream has a line without the name of a field; expected 'data: ' before each message, and an empty "
          + "line after it. The line begins: \(Self.beginning(of: line))"
      }
      return nil
    }
    line.moveReaderIndex(forwardBy: field.count)
    if line.readableBytesView.first == UInt8(ascii: " ") { line.moveReaderIndex(forwardBy: 1) }
    if data == nil { data = ByteBuffer() } else { data?.writeInteger(UInt8(ascii: "\n")) }
    data?.writeBuffer(&line)
    return nil
  }

  private static func beginning(of line: ByteBuffer) -> String {
    String(buffer: line.getSlice(at: line.readerIndex, length: min(line.readableBytes, 100)) ?? ByteBuffer())
  }
}
