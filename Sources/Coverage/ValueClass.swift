import JSONKit

/// A class of values that SDKs and servers often treat differently.
///
/// Encoders, trimmers and comparisons often mistreat the texts in these classes. Binary fractions and narrow types
/// often lose parts of the numbers. The classes of lists are about the length of a list.
package enum ValueClass: String, CaseIterable, Sendable {
  case signs, escape, capital, marks, blank, quote, control, empty, long
  case nonASCII = "non-ascii"
  case supplementary
  case zero, negative, fraction, large, digits
  case none, one, many

  /// A kind of value. Each kind has its own classes.
  package enum Kind: String, CaseIterable, Sendable {
    case text, number, list

    package var classes: [ValueClass] {
      switch self {
      case .text:
        [.signs, .escape, .capital, .marks, .nonASCII, .supplementary, .blank, .quote, .control, .empty, .long]
      case .number: [.zero, .negative, .fraction, .large, .digits]
      case .list: [.none, .one, .many]
      }
    }
  }

  /// A text with this number of characters or more is long.
  private static let longText = 255
  /// From 2^53 on, a double does not represent every integer.
  private static let exactLimit = 9_007_199_254_740_992.0
  /// From this number of digits on, some number parsers lose digits.
  private static let manyDigits = 16

  /// A list with this number of elements or more belongs to the class `many`.
  static let twoOrMore = 2

  package var text: String {
    switch self {
    case .signs: "signs of URLs and forms: + = ; & # ?"
    case .escape: "a percent sign or a backslash, which begin escapes"
    case .capital: "a capital I, which Turkish writes differently in small letters"
    case .marks: "a letter and a mark that combine"
    case .nonASCII: "beyond ASCII"
    case .supplementary: "beyond the basic plane, such as an emoji"
    case .blank: "a blank at the beginning or the end"
    case .quote: "quotes and angle brackets"
    case .control: "line breaks, tabs and other controls"
    case .empty: "no character"
    case .long: "255 characters or more"
    case .zero: "zero"
    case .negative: "below zero"
    case .fraction: "with a fraction"
    case .large: "2^53 or more"
    case .digits: "16 digits or more"
    case .none: "no element"
    case .one: "one element"
    case .many: "two elements or more"
    }
  }

  /// The classes of a text that is repeated this number of times.
  static func classes(of text: String, times: Int = 1) -> Set<ValueClass> {
    let scalars = text.unicodeScalars
    var found = Set(scalars.flatMap(classes(of:)))
    if text.isEmpty { found.insert(.empty) }
    if let first = scalars.first, let last = scalars.last, first == " " || last == " " { found.insert(.blank) }
    if scalars.count * times >= longText { found.insert(.long) }
    return found
  }

  /// The classes of a number, by its value and by its written digits.
  static func classes(of number: JSON.Number) -> Set<ValueClass> {
    let value = number.double
    var found: Set<ValueClass> = []
    if value == 0 { found.insert(.zero) }
    if value < 0 { found.insert(.negative) }
    if !number.isInteger { found.insert(.fraction) }
    if value.magnitude >= exactLimit { found.insert(.large) }
    if number.lexeme.prefix(while: { $0 != "e" && $0 != "E" }).count(where: \.isNumber) >= manyDigits {
      found.insert(.digits)
    }
    return found
  }

  /// The class of a list, by its length.
  static func classes(of list: [JSON]) -> Set<ValueClass> {
    switch list.count {
    case 0: [.none]
    case twoOrMore...: [.many]
    default: [.one]
    }
  }

  private static func classes(of scalar: Unicode.Scalar) -> [ValueClass] {
    switch scalar {
    case "+", "=", ";", "&", "#", "?": [.signs]
    case "%", "\\": [.escape]
    case "I": [.capital]
    case "İ", "ı": [.capital, .nonASCII]
    case "\"", "'", "<", ">": [.quote]
    default:
      if scalar.value < 0x20 || scalar.value == 0x7F {
        [.control]
      } else if scalar.properties.generalCategory == .nonspacingMark {
        [.marks, .nonASCII]
      } else if scalar.value > 0xFFFF {
        [.supplementary, .nonASCII]
      } else {
        scalar.isASCII ? [] : [.nonASCII]
      }
    }
  }
}
