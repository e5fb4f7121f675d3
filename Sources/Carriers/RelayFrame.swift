import NIOCore

/// A message between the carrier and a relay, which the kit starts in place of an adapter's program.
///
/// It is sent as one byte for the kind, four bytes for the length of the payload (big endian), and the payload.
enum RelayFrame: Hashable {
  enum Kind: UInt8 {
    case bytes, end, failure, log
  }

  /// Bytes of a standard stream, in either direction.
  case bytes(ByteBuffer)
  /// From the relay: stdin has ended, so the adapter must end. A relay that was killed does not send this.
  case end
  /// From the carrier: the connection to the adapter has ended for this reason. The relay writes the reason to stderr
  /// and exits with 1.
  case failure(String)
  /// From the carrier: a line that the relay writes to stderr.
  case log(String)

  static let headLength = 5

  func write(into buffer: inout ByteBuffer) {
    let (kind, payload): (Kind, ByteBuffer) =
      switch self {
      case .bytes(let bytes): (.bytes, bytes)
      case .end: (.end, ByteBuffer())
      case .failure(let text): (.failure, ByteBuffer(string: text))
      case .log(let text): (.log, ByteBuffer(string: text))
      }
    buffer.writeInteger(kind.rawValue)
    buffer.writeInteger(UInt32(payload.readableBytes))
    buffer.writeImmutableBuffer(payload)
  }

  /// Removes the first frame from a buffer. Returns nil if that frame is not complete.
  static func read(from buffer: inout ByteBuffer) -> RelayFrame? {
    let start = buffer.readerIndex
    guard let number: UInt8 = buffer.getInteger(at: start), let kind = Kind(rawValue: number),
      let length: UInt32 = buffer.getInteger(at: start + 1), buffer.readableBytes >= headLength + Int(length)
    else { return nil }
    buffer.moveReaderIndex(forwardBy: headLength)
    let payload = buffer.readSlice(length: Int(length)) ?? ByteBuffer()
    return switch kind {
    case .bytes: .bytes(payload)
    case .end: .end
    case .failure: .failure(String(buffer: payload))
    case .log: .log(String(buffer: payload))
    }
  }
}
