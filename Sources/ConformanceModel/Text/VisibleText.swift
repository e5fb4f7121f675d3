import JSONKit

// How reports show what a subject sent: nothing of it is lost, and no terminal obeys it. What already stands there as
// an escape stays as it is: the form is for eyes, not for reading back.

extension String {
  /// The text on one line, with everything made visible that a person does not see or a terminal obeys: control and
  /// format characters, line and paragraph separators.
  package var visibleOnOneLine: String { utf8.isPlainASCII ? self : visible(where: \.isObeyed) }

  /// The text with the scalars picked made visible: `\n`, `\r`, `\t`, or `\u{1B}` with the number in hexadecimal. Letters,
  /// digits, signs and blanks of ASCII are none of them.
  package func visible(where isHidden: (Unicode.Scalar) -> Bool) -> String {
    // Most texts hide nothing and stay what they are, without a copy.
    guard hasScalar(where: isHidden) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if isHidden(scalar) { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// Whether one of the scalars is picked. Most are ASCII that nobody hides, and are passed over byte by byte.
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

  /// Bytes as text that is ``visibleOnOneLine``, and each that is not UTF-8 as `\xFF`.
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

  /// The text, cut at so many characters, its end then marked by `…`.
  package func cut(at limit: Int) -> String {
    // A character has at least one byte; counting bytes costs nothing.
    guard utf8.count > limit, let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end != endIndex else {
      return self
    }
    return self[..<index(before: end)] + "…"
  }

  /// The text with spaces behind it up to this many characters.
  package func padded(to width: Int) -> String { self + spaces(upTo: width) }

  /// The text with spaces before it up to this many characters.
  package func aligned(to width: Int) -> String { spaces(upTo: width) + self }

  private func spaces(upTo width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}

extension Unicode.Scalar {
  /// Whether a terminal obeys it, or a person does not see it: it controls, joins, turns round, ends a line, stands for
  /// nothing, or is no character at all.
  package var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7F: return true
    // The signs and letters that most texts consist of need no table.
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
  /// Whether each byte is a letter, digit, sign or blank of ASCII, which most lines consist of.
  fileprivate var isPlainASCII: Bool {
    withContiguousStorageIfAvailable { !$0.hasByte { $0 &- 0x20 >= 0x5F } } ?? false
  }
}
