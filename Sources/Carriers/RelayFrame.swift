import NIOCore

/// A message between the relay, which the kit runs in place of an adapter's program, and the kit.
///
/// On the wire: a byte for the kind, four for the length (big endian), the payload.
enum RelayFrame: Hashable {
  enum Kind: UInt8 {
    case bytes, end, failure, log
  }

  /// Bytes of a standard stream, in either direction.
  case bytes(ByteBuffer)
  /// From the relay: stdin has ended, so the adapter is asked to end. A relay that was killed sends nothing.
  case end
  /// From the kit: the connection to the adapter is over for this reason. The relay writes it to stderr and exits with 1.
  case failure(String)
  /// From the kit: a line for stderr.
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

  /// Takes the first frame out of a buffer; nil if it is not complete.
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
