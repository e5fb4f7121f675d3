import Digests
import HTTPValues
import Mustache

/// The templates of a page. They escape values with ``MarkupText``.
struct MarkupTemplates {
  private let library: MustacheLibrary

  /// - Parameter files: the templates by name. A template can include another template by its name.
  init(_ files: [String: [UInt8]]) throws {
    MustacheContentTypes.register(MarkupText(), named: MarkupText.name)
    library = MustacheLibrary(
      templates: try files.mapValues { try MustacheTemplate(string: String(decoding: $0, as: UTF8.self)) })
  }

  func render(_ values: [String: Any], with template: String) throws -> String {
    guard let text = library.render(values, withTemplate: template) else {
      throw BadTemplate(name: template)
    }
    return text
  }

  /// The hash with which a content security policy permits an inline script or style of the page.
  static func source(of bytes: [UInt8]) -> String { "sha256-" + Base64.text(of: SHA256.hash(bytes)) }

  /// The anchor of a requirement in a page. It begins with a capital or `rule-`, so it differs from the page's other
  /// anchors.
  static func anchor(_ requirement: String) -> String {
    let name = identifier(requirement)
    return name.utf8.first.map { (0x41...0x5A).contains($0) } ?? false ? name : "rule-" + name
  }

  /// The text as an identifier for the `id` of an element. Characters that the identifier cannot contain are replaced
  /// with `_`.
  static func identifier(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "@"),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The error that the kit does not contain the template with this name.
struct BadTemplate: Error, CustomStringConvertible {
  let name: String

  var description: String { "the kit lacks its template '\(name)': build it again" }
}
