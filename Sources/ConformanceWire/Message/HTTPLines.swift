import HTTPValues

/// Checks single lines of a message: request line, status line, field (RFC 9112 §3 to §5). Each violation of the
/// grammar has its own error text.
enum HTTPLines {
  static func checkRequestLine(_ bytes: ArraySlice<UInt8>, _ line: String) throws(HTTPProblem) {
    let parts = bytes.split(separator: space, omittingEmptySubsequences: false)
    guard let version = parts.last, version.starts(with: "HTTP/".utf8) else {
      throw .malformed("the first line is not a request line: '\(excerpt(bytes))'")
    }
    guard isVersion1(version) else {
      throw .malformed("the version is '\(excerpt(version))', not HTTP/1.1")
    }
    guard parts.count == 3 else {
      throw .malformed("the request line has \(parts.count - 1) spaces instead of 2: '\(excerpt(bytes))'")
    }
    guard !parts[0].isEmpty, parts[0].allSatisfy(\.isToken) else {
      throw .malformed("the method is not a token: '\(excerpt(parts[0]))'")
    }
    guard !parts[1].isEmpty else { throw .malformed("the request target is empty") }
    guard parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .malformed("the target has characters that must be percent-encoded: '\(excerpt(parts[1]))'")
    }
  }

  static func checkStatusLine(_ bytes: ArraySlice<UInt8>) throws(HTTPProblem) {
    let parts = bytes.split(separator: space, maxSplits: 2, omittingEmptySubsequences: false)
    guard isVersion1(parts[0]) else { throw .malformed("the version is '\(excerpt(parts[0]))', not HTTP/1.1") }
    guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy(\.isDigit), parts[1].first != 0x30 else {
      throw .malformed("the status is not three digits: '\(excerpt(bytes))'")
    }
  }

  /// Parses the line of one header field. `place` is the name of the field in an error text, such as `header 3`.
  static func field(
    _ bytes: ArraySlice<UInt8>, _ place: @autoclosure () -> String
  ) throws(HTTPProblem) -> HTTPHeaders.Field {
    if let first = bytes.first, first.isSpaceOrTab {
      throw .malformed("\(place()) begins with white space (folded lines are obsolete)")
    }
    guard let end = bytes.firstIndex(where: { !$0.isToken }) else {
      throw .malformed("no colon in \(place()): '\(excerpt(bytes))'")
    }
    guard bytes[end] == colon, end > bytes.startIndex else { throw badName(bytes, end, place()) }
    var value = bytes[(end + 1)...]
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .malformed("a control character in the value of \(place()) ('\(excerpt(bytes[..<end]))')")
    }
    while let first = value.first, first.isSpaceOrTab { value.removeFirst() }
    while let last = value.last, last.isSpaceOrTab { value.removeLast() }
    return HTTPHeaders.Field(
      name: String(decoding: bytes[..<end], as: UTF8.self), value: String(decoding: value, as: UTF8.self))
  }

  private static func badName(_ bytes: ArraySlice<UInt8>, _ end: Int, _ place: String) -> HTTPProblem {
    guard let colonAt = bytes.firstIndex(of: colon) else {
      return .malformed("no colon in \(place): '\(excerpt(bytes))'")
    }
    if colonAt == bytes.startIndex { return .malformed("no name before the colon in \(place)") }
    if bytes[end..<colonAt].allSatisfy(\.isSpaceOrTab) { return .malformed("space before the colon in \(place)") }
    return .malformed("the name in \(place) is not a token: '\(excerpt(bytes[..<colonAt]))'")
  }

  /// The size of a chunk, parsed from the line before the chunk (RFC 9112 §7.1). Extensions are ignored.
  static func chunkSize(_ bytes: ArraySlice<UInt8>) throws(HTTPProblem) -> Int {
    let digits = bytes.prefix { $0.isHexDigit }
    let rest = bytes.dropFirst(digits.count).drop { $0.isSpaceOrTab }
    guard !digits.isEmpty, rest.isEmpty ? bytes.count == digits.count : rest.first == UInt8(ascii: ";") else {
      throw .malformed("a chunk size that is not hexadecimal: '\(excerpt(bytes))'")
    }
    guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw .tooLarge("a chunk of 0x\(excerpt(digits)) bytes")
    }
    return size
  }

  private static func isVersion1(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual("HTTP/1.1".utf8) || bytes.elementsEqual("HTTP/1.0".utf8)
  }

  /// The first 80 bytes as text for an error message. Control characters are escaped.
  static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(80), as: UTF8.self)
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.value < 0x20 || scalar.value == 0x7F {
        result += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static let space = UInt8(ascii: " ")
  private static let colon = UInt8(ascii: ":")
}

extension UInt8 {
  /// Whether the byte is a character that a token may contain (RFC 9110 §5.6.2).
  var isToken: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self & 0xDF) }
  fileprivate var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }
}
