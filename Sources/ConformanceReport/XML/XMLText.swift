import ConformanceModel
import JSONKit

/// Text that can stand in an XML 1.0 document: the only kind that ``XMLWriter`` takes.
///
/// Scalars that XML 1.0 forbids (§2.2), and all that a terminal obeys or a person does not see, such as those that turn
/// the direction of a text, become visible as `\u{1B}`. What must be escaped besides is the writer's work.
package struct XMLText: Hashable, Sendable {
  package let string: String

  package init(_ text: String) {
    string = text.utf8.isPlainXML ? text : text.visible(where: \.isHiddenInXML)
  }

  /// Bytes from the wire, invalid UTF-8 repaired by U+FFFD first.
  package init(decoding bytes: some Collection<UInt8>) { self.init(String(decoding: bytes, as: UTF8.self)) }
}

extension XMLText: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }
}

extension String.UTF8View {
  /// Whether no scalar can be one that XML hides; a false alarm only costs the slow way.
  fileprivate var isPlainXML: Bool {
    // Whole strings lie in one piece.
    withContiguousStorageIfAvailable { !$0.hasByte(where: Self.mayBeHidden) } ?? false
  }

  /// Whether a scalar that begins with this byte may be hidden: all but ASCII and the letters from U+00C0 to U+033F.
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
