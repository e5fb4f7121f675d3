import ConformanceModel
import JSONKit

/// Text that can stand in an XML 1.0 document: the only kind that ``XMLWriter`` takes.
///
/// Scalars that XML 1.0 forbids (§2.2), and U+007F to U+009F, which it discourages and terminals obey, become visible
/// as `\u{1B}`. What must be escaped besides is the writer's work.
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

  /// Whether a scalar that begins with this byte may be hidden: 0xC2 begins U+0080 to U+00BF, 0xEF begins U+F000 to U+FFFF.
  private static func mayBeHidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F || byte == 0xC2 || byte == 0xEF
  }
}

extension Unicode.Scalar {
  fileprivate var isHiddenInXML: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
