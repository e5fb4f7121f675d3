/// Bytes as a person can read them in one line: control characters as `\u{1b}`, bytes that are not UTF-8 as `\xff`.
enum VisibleBytes {
  /// How many bytes are shown at most.
  static let limit = 200

  /// The first bytes made visible, with the number of the others.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.prefix(limit).makeIterator()
    var offset = 0
    decoding: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        offset += encoded.count
        text += visible(Unicode.UTF8.decode(encoded))
      case .error(let length):
        for byte in bytes.dropFirst(offset).prefix(length) { text += "\\x" + hex(UInt32(byte)) }
        offset += length
      case .emptyInput: break decoding
      }
    }
    return bytes.count > limit ? text + "… (\(bytes.count) bytes)" : text
  }

  /// Where the bytes stop being UTF-8; nil when they are.
  static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
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

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      "\\u{\(String(scalar.value, radix: 16))}"
    default: String(Character(scalar))
    }
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}
