import Mustache

/// Escapes the values in templates, for text and for attributes in quotation marks.
///
/// The library's own type for HTML compares characters. It does not escape a quotation mark that is followed by a
/// combining accent, since the two together are another character. To a browser, this quotation mark still ends an
/// attribute.
struct MarkupText: MustacheContentType {
  /// The name of the type in templates.
  static let name = "MARKUP"

  /// The longest value, in characters. It is limited, so that a subject cannot make the page arbitrarily large.
  private static let longest = 10_000

  func escapeText(_ text: String) -> String {
    var escaped: [UInt8] = []
    let text = text.cut(at: Self.longest)
    escaped.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      case UInt8(ascii: "'"): escaped += "&#39;".utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
