extension JSON {
  /// A JSON number as it was written.
  ///
  /// `==` compares lexemes: `1` differs from `1.0`. ``isEqual(to:)`` compares values by exact decimal arithmetic on the
  /// digits, so that 9007199254740993 and 9007199254740992 differ.
  package struct Number: Hashable, Sendable {
    /// The characters of the number, valid by the grammar of RFC 8259 §6.
    package let lexeme: String

    /// A number from its characters; nil if they are not a JSON number.
    package init?(lexeme: String) {
      guard Number.isValid(lexeme.utf8) else { return nil }
      self.lexeme = lexeme
    }

    /// A number whose characters the caller has already validated.
    init(scanned lexeme: String) { self.lexeme = lexeme }

    package init(_ value: Int) { lexeme = String(value) }

    /// A number from a double, written with as few digits as possible; nil for NaN and the infinities, which JSON
    /// cannot express.
    package init?(_ value: Double) {
      guard value.isFinite else { return nil }
      if value == value.rounded(), abs(value) < 1e15 {
        lexeme = String(Int(value))
      } else {
        lexeme = value.description
      }
    }

    /// The nearest double; infinite if the value is beyond the range of doubles.
    package var double: Double { Double(lexeme) ?? .nan }

    /// The value as an `Int`; nil if it is not integral or does not fit.
    package var int: Int? {
      if let value = Int(lexeme) { return value }
      let decimal = canonical
      if decimal.digits.isEmpty { return 0 }
      guard decimal.exponent >= 0, decimal.digits.count + decimal.exponent <= 19 else { return nil }
      let digits = String(decoding: decimal.digits, as: UTF8.self) + String(repeating: "0", count: decimal.exponent)
      return Int((decimal.negative ? "-" : "") + digits)
    }

    /// Whether the value has no fractional part, however it is written.
    package var isInteger: Bool { Int(lexeme) != nil || canonical.exponent >= 0 }

    /// Whether both numbers have the same value.
    package func isEqual(to other: Number) -> Bool {
      if lexeme == other.lexeme { return true }
      // Most numbers are whole, and are written without a fraction or an exponent.
      if let left = Int(lexeme), let right = Int(other.lexeme) { return left == right }
      return canonical == other.canonical
    }

    /// Whether both numbers have the same nearest double, such as `0.1` and `0.10000000000000001`. False if a number is
    /// beyond the range of doubles.
    package func isSameDouble(as other: Number) -> Bool {
      let (left, right) = (double, other.double)
      return left.isFinite && left == right
    }

    /// Whether the value is smaller than the value of the other number.
    package func isLess(than other: Number) -> Bool {
      if let left = Int(lexeme), let right = Int(other.lexeme) { return left < right }
      let (left, right) = (canonical, other.canonical)
      if left.negative != right.negative { return left.negative }
      let smaller = left.magnitudeIsLess(than: right)
      return left.negative ? !smaller && left != right : smaller
    }
  }
}

extension JSON.Number {
  /// The value of a number in a unique form: the sign, the digits without leading and trailing zeros, and the power of
  /// ten of the last digit. Zero has an empty list of digits and the exponent 0.
  private struct Decimal: Equatable {
    var negative: Bool
    var digits: [UInt8]
    var exponent: Int

    /// One more than the power of ten of the first digit: the order of 12 is 2.
    var order: Int { digits.count + exponent }

    func magnitudeIsLess(than other: Decimal) -> Bool {
      if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
      if order != other.order { return order < other.order }
      return digits.lexicographicallyPrecedes(other.digits)
    }
  }

  private var canonical: Decimal {
    var digits: [UInt8] = []
    var exponent = 0
    var negative = false
    var inFraction = false
    var bytes = lexeme.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): negative = true
      case UInt8(ascii: "."): inFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        // An exponent beyond Int is clamped: such numbers differ from every other number by their order alone.
        let text = String(bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes) ?? "0"
        let written = Int(text) ?? (text.hasPrefix("-") ? Int.min / 4 : Int.max / 4)
        exponent += min(max(written, Int.min / 4), Int.max / 4)
        bytes = bytes[bytes.endIndex...]
      default:
        digits.append(byte)
        if inFraction { exponent -= 1 }
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { return Decimal(negative: false, digits: [], exponent: 0) }
    return Decimal(negative: negative, digits: digits, exponent: exponent)
  }

  private static func isValid(_ bytes: String.UTF8View) -> Bool {
    var scanner = JSONScanner(Array(bytes))
    guard scanner.scanNumber() != nil else { return false }
    return scanner.isAtEnd
  }
}
