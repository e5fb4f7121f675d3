import Foundation
import HTTPValues

/// Ways in which people and programs spell a text: each with a neighbour on both sides, as it stands on a wire.
package enum Spelling: String, CaseIterable, Sendable {
  case plain, json, jsonLower, jsonUpper, jsonInJSON, percentUpper, percentLower, percentOfPercent, form, reference
  case base64, base64Shifted, base64Twice, base64URL, hexadecimal
  case base64Lines, base64LinesInJSON, base64OfJSON, base64OfUTF16, base64OfBase64, base64OfPercent, base32
  case hexadecimalColons, hexadecimalBlanks, hexadecimalPrefixes, hexadecimalOfBase64, numbers, signedNumbers
  case percentUnicode, quotedPrintable, quotedPrintableLines

  package func spell(_ text: String) -> String {
    switch self {
    case .plain: "<\(text)>"
    case .json: "{\"a\":\"\(escaped(text))\"}"
    case .jsonLower: text.utf16.map { "\\u" + Self.hex($0, digits: 4) }.joined()
    case .jsonUpper: text.utf16.map { "\\u" + Self.hex($0, digits: 4).uppercased() }.joined()
    case .jsonInJSON: escaped("\"" + escaped(text) + "\"")
    case .percentUpper: text.utf8.map { "%" + Self.hex($0, digits: 2).uppercased() }.joined()
    case .percentLower: "/?a=" + text.utf8.map { "%" + Self.hex($0, digits: 2) }.joined()
    case .percentOfPercent: text.utf8.map { "%25" + Self.hex($0, digits: 2) }.joined()
    case .form: "a=" + PercentEncoding.encode(text).replacing("%20", with: "+") + "&b=1"
    case .reference: text.unicodeScalars.map { "&#\($0.value);" }.joined()
    case .base64: Data(text.utf8).base64EncodedString()
    case .base64Shifted: Data("x\(text)y".utf8).base64EncodedString()
    case .base64Twice: Data("xx\(text)y".utf8).base64EncodedString()
    case .base64URL:
      Data("user:\(text)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    case .hexadecimal: text.utf8.map { Self.hex($0, digits: 2) }.joined()
    case .base64Lines: Self.lines(Data("key: \(text)!".utf8).base64EncodedString(), "\r\n")
    case .base64LinesInJSON: Self.lines(Data("key: \(text)!".utf8).base64EncodedString(), "\\n")
    case .base64OfJSON: Data("{\"a\":\"\(escaped(text))\"}".utf8).base64EncodedString()
    case .base64OfUTF16: Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).base64EncodedString()
    case .base64OfBase64: Data(Data("a:\(text)".utf8).base64EncodedString().utf8).base64EncodedString()
    case .base64OfPercent: Data(Self.percentUpper.spell(text).utf8).base64EncodedString()
    case .base32: Self.base32(Array("k\(text)".utf8))
    case .hexadecimalColons: text.utf8.map { Self.hex($0, digits: 2).uppercased() }.joined(separator: ":")
    case .hexadecimalBlanks: text.utf8.map { Self.hex($0, digits: 2) }.joined(separator: " ")
    case .hexadecimalPrefixes: text.utf8.map { "0x" + Self.hex($0, digits: 1) }.joined(separator: ", ")
    case .hexadecimalOfBase64: Data(text.utf8).base64EncodedString().utf8.map { Self.hex($0, digits: 2) }.joined()
    case .numbers: "[" + text.utf8.map { "\($0)" }.joined(separator: ", ") + "]"
    case .signedNumbers: "[" + text.utf8.map { "\(Int8(bitPattern: $0))" }.joined(separator: ",") + "]"
    case .percentUnicode: text.utf16.map { "%u" + Self.hex($0, digits: 4) }.joined()
    case .quotedPrintable: text.utf8.map { "=" + Self.hex($0, digits: 2).uppercased() }.joined()
    case .quotedPrintableLines: text.map { "\($0)" }.joined(separator: "=\r\n")
    }
  }

  /// Whether a text still carries what was spelled: no run of it that is long enough to be known by is left.
  package func stands(_ text: String, in output: String) -> Bool {
    // Many digests contain six given hexadecimal digits by chance.
    let edge = self == .hexadecimal ? 2 : 6
    let spelled = Data(spell(text).utf8).dropFirst(edge).dropLast(edge)
    // Foundation is optimised in each build, so its search is fast here too.
    return spelled.count > 4 && Data(output.utf8).range(of: spelled) != nil
  }

  private static func lines(_ text: String, _ end: String) -> String {
    var (lines, rest) = (text.prefix(10), text.dropFirst(10))
    while !rest.isEmpty {
      lines += end + rest.prefix(10)
      rest = rest.dropFirst(10)
    }
    return String(lines)
  }

  private static func base32(_ bytes: [UInt8]) -> String {
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    return stride(from: 0, to: bits.count, by: 5).map { start in
      String(digits[(0..<5).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }])
    }.joined()
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
  }

  private static func hex(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
