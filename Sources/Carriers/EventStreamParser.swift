import NIOCore

/// Reads server-sent events (HTML Living Standard §9.2.6). Of each event it keeps only the data.
struct EventStreamParser {
  static let longestEvent = 16 << 20

  private var line = ByteBuffer()
  private var data: ByteBuffer?
  /// Whether the last byte was a carriage return. A line feed directly after it belongs to the same line end.
  private var endedInReturn = false

  /// Whether the current event is longer than the limit.
  var isTooLong: Bool { line.readableBytes + (data?.readableBytes ?? 0) > Self.longestEvent }

  /// Reads bytes. Returns the data of each event that is complete now.
  mutating func read(_ bytes: ByteBuffer) -> [ByteBuffer] {
    var bytes = bytes
    var events: [ByteBuffer] = []
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

  private mutating func endLine() -> ByteBuffer? {
    defer { line = ByteBuffer() }
    guard line.readableBytes > 0 else {
      defer { data = nil }
      return data
    }
    let field = Array("data:".utf8)
    guard line.readableBytesView.starts(with: field) else { return nil }
    line.moveReaderIndex(forwardBy: field.count)
    if line.readableBytesView.first == UInt8(ascii: " ") { line.moveReaderIndex(forwardBy: 1) }
    if data == nil { data = ByteBuffer() } else { data?.writeInteger(UInt8(ascii: "\n")) }
    data?.writeBuffer(&line)
    return nil
  }
}
