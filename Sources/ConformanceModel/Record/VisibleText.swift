extension String {
  /// The text with the scalars picked made visible: `\n`, `\r`, `\t`, or `\u{1B}` with the number in hexadecimal.
  ///
  /// For reports, which show what a subject sent and must neither lose nor obey it. What stands there as such an escape
  /// already stays as it is: the form is for eyes, not for reading back.
  package func visible(where isHidden: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard isHidden(scalar) else {
        text.append(scalar)
        continue
      }
      switch scalar {
      case "\n": text.append(contentsOf: "\\n".unicodeScalars)
      case "\r": text.append(contentsOf: "\\r".unicodeScalars)
      case "\t": text.append(contentsOf: "\\t".unicodeScalars)
      default: text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      }
    }
    return String(text)
  }

  /// The text on one line that a terminal shows and does not obey: control characters, line and paragraph separators
  /// and the controls of writing direction made visible.
  package var visibleOnOneLine: String {
    visible { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  /// The text, cut at so many characters, its end then marked by `…`.
  package func cut(at limit: Int) -> String {
    guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end != endIndex else { return self }
    return self[..<index(before: end)] + "…"
  }

  /// The text with spaces behind it up to this many characters.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
