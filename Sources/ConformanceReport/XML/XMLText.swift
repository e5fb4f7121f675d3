import JSONKit

/// Text that is valid in an XML 1.0 document. ``XMLWriter`` accepts only this type.
///
/// Some scalars are replaced by a visible form such as `\u{1B}`: scalars that XML 1.0 forbids (§2.2), control
/// characters of terminals, and invisible scalars, for example scalars that change the direction of a text. Escapes for
/// `<`, `&` and other markup are the task of the writer.
package struct XMLText: Hashable, Sendable {
  package let string: String

  package init(_ text: String) {
    string = text.utf8.isPlainXML ? text : text.visible(where: \.isHiddenInXML)
  }

  /// The text of bytes from the wire. Each part that is not UTF-8 is replaced by U+FFFD first.
  package init(decoding bytes: some Collection<UInt8>) { self.init(String(decoding: bytes, as: UTF8.self)) }
}

extension XMLText: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }
}

extension String.UTF8View {
  /// True only if the text contains no scalar that must be made visible. If false, the text may contain one, and a
  /// slower search decides.
  fileprivate var isPlainXML: Bool {
    // Whole strings have contiguous storage.
    withContiguousStorageIfAvailable { !$0.hasByte(where: Self.mayBeHidden) } ?? false
  }

  /// Whether a scalar that begins with this byte may have to be made visible. This is certainly not so for printable
  /// ASCII, line ends, tabs, and the letters from U+00C0 to U+033F.
  private static func mayBeHidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F || byte == 0xC2 || byte >= 0xCD
  }
}

extension Unicode.Scalar {
  fileprivate var isHiddenInXML: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    default: isObeyed
    }
  }
}
