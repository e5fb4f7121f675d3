/// Values in the distinguished encoding of ASN.1 (ITU-T X.690 §8 and §10), as far as a certificate has them.
enum DER {
  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

  static func set(_ part: [UInt8]) -> [UInt8] { value(0x31, part) }

  /// A member that its place tells from others, around a whole value.
  static func tagged(_ number: UInt8, _ part: [UInt8]) -> [UInt8] { value(0xA0 | number, part) }

  /// A primitive member that its place tells from others, whose content is given.
  static func implicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { value(0x80 | number, content) }

  static func boolean(_ isTrue: Bool) -> [UInt8] { value(0x01, [isTrue ? 0xFF : 0x00]) }

  /// A number that is not negative, by its bytes; the largest first.
  static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    let digits = Array(magnitude.drop { $0 == 0 })
    // The first bit is the sign.
    let needsZero = digits.first.map { $0 >= 0x80 } ?? true
    return value(0x02, (needsZero ? [0] : []) + digits)
  }

  static func octets(_ content: [UInt8]) -> [UInt8] { value(0x04, content) }

  static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  /// Bits; those that fill the last byte are not counted.
  static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { value(0x03, [unused] + content) }

  /// An object identifier, by its parts (X.690 §8.19).
  static func object(_ parts: Int...) -> [UInt8] {
    let rest = parts.dropFirst(2).flatMap(base128)
    return value(0x06, base128(parts[0] * 40 + parts[1]) + rest)
  }

  /// An instant in seconds since 1970, as certificates spell the years before 2050 (RFC 5280 §4.1.2.5).
  static func time(_ seconds: Int) -> [UInt8] {
    let (year, month, day) = civil(days: floorDivided(seconds, 86_400))
    let second = seconds - floorDivided(seconds, 86_400) * 86_400
    let rest = [month, day, second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined() + "Z"
    return year < 2050
      ? value(0x17, Array((twoDigits(year % 100) + rest).utf8)) : value(0x18, Array("\(year)\(rest)".utf8))
  }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    let size = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
    return [tag, 0x80 | UInt8(size.count)] + size + content
  }

  /// Seven bits a byte, the first bit set in all but the last.
  private static func base128(_ number: Int) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    let higher = base128(number >> 7)
    return higher.dropLast() + [higher[higher.count - 1] | 0x80, UInt8(number & 0x7F)]
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func floorDivided(_ number: Int, _ divisor: Int) -> Int {
    (number - (number % divisor + divisor) % divisor) / divisor
  }

  /// The date of a day, counted from 1970-01-01, in the Gregorian calendar. A year begins in March, so that a leap day is
  /// its last.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let fromMarch = days + 719_468  // 0000-03-01
    let era = floorDivided(fromMarch, 146_097)
    let ofEra = fromMarch - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * ofYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
