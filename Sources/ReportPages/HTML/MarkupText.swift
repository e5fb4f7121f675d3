import Mustache

/// Escapes what templates show, for text and for attributes in quotation marks.
///
/// The library's own type for HTML looks at characters: a quotation mark with a combining accent after it is another
/// character to it, but it still ends an attribute.
struct MarkupText: MustacheContentType {
  /// The name in templates.
  static let name = "MARKUP"

  /// The longest value, in characters, so that no subject decides how large a page is.
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
