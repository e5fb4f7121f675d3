import Mustache

/// Escapes the values in templates, both in text and in attributes with quotation marks.
///
/// The template library's own type for HTML compares Swift characters, not bytes. A quotation mark and a combining
/// accent after it are one Swift character. Therefore, the library's type does not escape this quotation mark. In a
/// browser, the quotation mark would still end an attribute.
struct MarkupText: MustacheContentType {
  /// The name by which templates select this type.
  static let name = "MARKUP"

  /// The longest value, in characters. A longer value is truncated, so that a subject cannot make the page arbitrarily
  /// large.
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
