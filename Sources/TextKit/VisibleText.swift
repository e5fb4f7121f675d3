import JSONKit

// Reports show all text of a subject with control characters made visible, so that a terminal does not interpret them.
// Escapes that the text already contains stay as they are: the form is for people and cannot be parsed back.

extension String {
  /// The text on one line. Scalars that a terminal interprets or that a person cannot see are replaced with visible
  /// escapes.
  package var visibleOnOneLine: String { utf8.isPlainASCII ? self : visible(where: \.isObeyed) }

  /// The text with a visible escape in place of each scalar for which `isHidden` returns true: `\n`, `\r`, `\t` or, for
  /// any other scalar, its hexadecimal number, such as `\u{1B}`. `isHidden` must return false for printable ASCII.
  package func visible(where isHidden: (Unicode.Scalar) -> Bool) -> String {
    // Most texts contain no such scalar and are returned without a copy.
    guard hasScalar(where: isHidden) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if isHidden(scalar) { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// Whether `isHidden` returns true for one of the scalars. Printable ASCII is skipped byte by byte without a call of
  /// `isHidden`.
  private func hasScalar(where isHidden: (Unicode.Scalar) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var place = 0
      while let next = bytes[place...].firstIndex(where: { $0 &- 0x20 >= 0x5F }) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[next...].makeIterator()
        guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return true }
        if isHidden(Unicode.UTF8.decode(encoded)) { return true }
        place = next + encoded.count
      }
      return false
    } ?? unicodeScalars.contains(where: isHidden)
  }

  /// The bytes as visible text on one line, as in ``visibleOnOneLine``. `\xNN` replaces each byte that is not part of
  /// valid UTF-8.
  package init(visible bytes: some Collection<UInt8>) {
    self = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var rest = bytes[...]
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.isObeyed { self += scalar.escape } else { unicodeScalars.append(scalar) }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { self += "\\x" + (byte < 0x10 ? "0" : "") + UInt32(byte).hexadecimal }
        rest = rest.dropFirst(length)
      case .emptyInput: return
      }
    }
  }

  /// The text, truncated to `limit` characters with `…` at the end if it is longer.
  package func cut(at limit: Int) -> String {
    // A character has at least one byte, and the count of bytes is cheap.
    guard utf8.count > limit, let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end != endIndex else {
      return self
    }
    return self[..<index(before: end)] + "…"
  }

  /// The text, with spaces after it up to this number of characters.
  package func padded(to width: Int) -> String { self + spaces(upTo: width) }

  /// The text, with spaces before it up to this number of characters.
  package func aligned(to width: Int) -> String { spaces(upTo: width) + self }

  private func spaces(upTo width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}

extension Unicode.Scalar {
  /// Whether the scalar is one that a terminal interprets or that a person cannot see. Such scalars are control
  /// characters, joiners, direction marks, line ends, ignorable code points and noncharacters.
  package var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7F: return true
    // Common signs and letters need no table.
    case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300, 0x2010..<0x2028, 0x2030..<0x205F, 0x2070..<0x3000: return false
    default: break
    }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isNoncharacterCodePoint || properties.isDefaultIgnorableCodePoint
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(value.hexadecimal)}"
    }
  }
}

extension UInt32 {
  fileprivate var hexadecimal: String { String(self, radix: 16, uppercase: true) }
}

extension String.UTF8View {
  /// Whether all bytes are printable ASCII. This is true for most lines.
  fileprivate var isPlainASCII: Bool {
    withContiguousStorageIfAvailable { !$0.hasByte { $0 &- 0x20 >= 0x5F } } ?? false
  }
}
