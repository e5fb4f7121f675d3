import ConformanceModel

/// The beginning of bytes as a person can read it in one line.
package enum VisibleBytes {
  /// How many bytes are shown at most.
  package static let limit = 200

  /// The first bytes made visible, with the number of the others.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = String(visible: bytes.prefix(limit))
    return bytes.count > limit ? text + "… (\(bytes.count) bytes)" : text
  }

  /// Where the bytes stop being UTF-8; nil when they are.
  package static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    // Nearly all that is asked about is ASCII, which is told in a fraction of the time.
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
