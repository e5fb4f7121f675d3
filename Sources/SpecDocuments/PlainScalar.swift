import JSONKit

/// A YAML scalar without quotes. This type returns the value that the kit reads, and decides whether every other parser
/// of YAML reads the same value.
///
/// Source: the types of YAML 1.1 as PyYAML resolves them, and the core schema of YAML 1.2 (§10.3.2). The page on
/// booleans of YAML 1.1 also lists `y` and `n` as booleans. Here they count as text, since common parsers of YAML 1.1
/// read them as text.
package struct PlainScalar {
  /// The reason why the kit rejects a scalar, as the texts of a diagnostic.
  package struct Objection: Equatable {
    var expected: String
    var found: String
    var hint: String
  }

  package let text: String

  package init(text: String) { self.text = text }

  /// The value that the kit reads. `null`, `true`, `false` and numbers in the form of JSON have the same meaning as in
  /// JSON. An empty scalar is null. Any other scalar is text.
  package var value: JSON {
    switch text {
    case "", "null": .null
    case "true": true
    case "false": false
    default: JSON.Number(lexeme: text).map(JSON.number) ?? .string(text)
    }
  }

  /// The objection to the scalar if another parser of YAML possibly rejects it or reads a different value; nil if all
  /// parsers read the same value.
  package func objection(isKey: Bool, inBrackets: Bool) -> Objection? {
    if inBrackets, text.utf8.contains(UInt8(ascii: "?")) {
      return inQuotes(found: "'\(text)', whose question mark other readers refuse inside brackets")
    }
    if case .string = value {
      return foreignType.map { inQuotes(found: "'\(text)', which other readers take for \($0)") }
    }
    guard !isKey else { return inQuotes(found: "the key '\(text)', which other readers take for \(value.typeName)") }
    return exponentObjection
  }

  private func inQuotes(found: String) -> Objection {
    Objection(
      expected: "text that every reader of YAML takes for the same", found: found,
      hint: "write it in quotes: \(JSON.string(text).compactText)")
  }

  /// The objection to a number that has an exponent, but no decimal point or no sign of the exponent; nil for any other
  /// scalar. Parsers of YAML 1.1 read such a number as text.
  private var exponentObjection: Objection? {
    guard case .number = value, let mark = text.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return nil
    }
    let exponent = text[mark...].dropFirst()
    let hasPoint = text[..<mark].contains(".")
    let hasSign = exponent.hasPrefix("-") || exponent.hasPrefix("+")
    guard !hasPoint || !hasSign else { return nil }
    let portable = "\(text[..<mark])\(hasPoint ? "" : ".0")e\(hasSign ? "" : "+")\(exponent)"
    return Objection(
      expected: "a number that every reader of YAML takes for one",
      found: "'\(text)', which other readers take for text",
      hint: "write \(portable) for the number, or \"\(text)\" for the text")
  }

  /// The type of the value that another parser of YAML reads where the kit reads text; nil if all parsers read text.
  private var foreignType: String? {
    if let type = Self.words[text] { return type }
    guard let first = text.utf8.first, Self.numeric.contains(first), text.utf8.allSatisfy(Self.inPatterns.contains)
    else {
      return nil
    }
    return Self.patterns.first { SharedRegex.matches($0.pattern, wholly: text) }?.type
  }

  private static let words: [String: String] = {
    var words = ["~": "null", "Null": "null", "NULL": "null", "<<": "a merge key", "=": "a default value"]
    for word in ["True", "TRUE", "False", "FALSE"] { words[word] = "a boolean" }
    for word in ["yes", "no", "on", "off"] {
      for spelling in [word, word.prefix(1).uppercased() + word.dropFirst(), word.uppercased()] {
        words[spelling] = "a boolean"
      }
    }
    return words
  }()

  private static let patterns: [(type: String, pattern: String)] = [
    ("a number", "[-+]?(0b[01_]+|0o[0-7]+|0x[0-9a-fA-F_]+)"),
    ("a number", #"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?"#),
    ("a number", #"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"#),
    ("a number to the base of 60", #"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"#),
    ("a date", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    (
      "a date",
      "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]| +)[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
        + #"(\.[0-9]*)?( *(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?"#
    ),
  ]

  /// A text that matches one of the patterns begins with a byte in `numeric` and contains only bytes in `inPatterns`.
  /// Most texts contain other bytes, so they need not be compared with the patterns.
  private static let numeric = Set("0123456789+-.".utf8)
  private static let inPatterns = Set("0123456789_:.+-abcdefoxABCDEFinINTtZ ".utf8)
}
