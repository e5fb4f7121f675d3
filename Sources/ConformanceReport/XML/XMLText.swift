import ConformanceModel

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
    // Whole strings lie in one piece, and bytes of one piece are seen several at a time.
    withContiguousStorageIfAvailable { $0.allSatisfy(Self.isPlainXML) } ?? allSatisfy(Self.isPlainXML)
  }

  private static func isPlainXML(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D: true
    // 0xC2 begins U+0080 to U+00BF, 0xEF begins U+F000 to U+FFFF.
    case 0..<0x20, 0x7F, 0xC2, 0xEF: false
    default: true
    }
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
