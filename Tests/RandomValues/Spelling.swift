import ConformanceModel
import Foundation

/// Ways in which people and programs spell a text: each with a neighbour on both sides, as it stands on a wire.
package enum Spelling: String, CaseIterable, Sendable {
  case plain, json, jsonLower, jsonUpper, jsonInJSON, percentUpper, percentLower, percentOfPercent, form, reference
  case base64, base64Shifted, base64Twice, base64URL, hexadecimal

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
    }
  }

  /// Whether a text still carries what was spelled: no run of it that is long enough to be known by is left.
  package func stands(_ text: String, in output: String) -> Bool {
    // Six hexadecimal digits stand in many a digest by chance.
    let edge = self == .hexadecimal ? 2 : 6
    let spelled = Array(spell(text).utf8).dropFirst(edge).dropLast(edge)
    return spelled.count > 4 && Array(output.utf8).firstRange(of: spelled) != nil
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
  }

  private static func hex(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
