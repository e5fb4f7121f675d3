import TextKit

/// Shows the first bytes of a message in a form that a person can read on one line.
package enum VisibleBytes {
  /// The largest number of bytes that are shown.
  package static let limit = 200

  /// At most ``limit`` bytes in visible form. If there are more bytes, the text ends with their total number.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = String(visible: bytes.prefix(limit))
    return bytes.count > limit ? text + "… (\(bytes.count) bytes)" : text
  }

  /// The offset of the first byte that is not UTF-8; nil if all bytes are UTF-8.
  package static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    // Nearly all texts are ASCII, and the test for ASCII is much faster.
    if bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): offset += encoded.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
