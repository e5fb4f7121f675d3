/// A text, such as a secret, that is found in a byte sequence in any spelling: plain, in UTF-16, in JSON escapes, in
/// percent and form encoding, in quoted-printable, in character references, and in any combination of these.
///
/// The search compares letter by letter, so it needs no list of all spellings of the text.
struct SecretSpelling: Sendable {
  /// A letter: its Unicode scalar value, its bytes in UTF-8, and its bytes in UTF-16 of either byte order.
  private struct Letter {
    var value: UInt32
    var bytes: [UInt8]
    var wide: [[UInt8]]

    init(_ scalar: Unicode.Scalar) {
      value = scalar.value
      bytes = Array(String(scalar).utf8)
      let units = Array(String(scalar).utf16)
      wide = [
        units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      ]
    }
  }

  private let scalars: [Letter]
  /// True if the search ignores the case of ASCII letters, as for names of header fields and for hexadecimal digits.
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool = false) {
    scalars = text.unicodeScalars.map(Letter.init)
    self.ignoresCase = ignoresCase
  }

  var count: Int { scalars.count }

  /// The bytes with which a spelling of the text can begin.
  var beginnings: Set<UInt8> {
    guard let first = scalars.first, let byte = first.bytes.first else { return [] }
    let cases = ignoresCase ? [byte.lowercased, byte.uppercased] : [byte]
    let marks: [UInt8] = [.percent, .backslash, .ampersand, .equals] + (byte == .space ? [.plus] : [])
    return Set(cases + marks + first.wide.map { $0[0] })
  }

  /// The index after a spelling of the secret that begins at `start`; nil if no spelling begins there. The bytes may
  /// contain only the first letters of the secret, followed by `…`, by three dots or by the end of the bytes. Such a
  /// truncated spelling counts if it has at least half of the letters, and at least four.
  func end(in bytes: [UInt8], from start: Int) -> Int? {
    var ends = [start]
    for (count, scalar) in scalars.enumerated() {
      var next: [Int] = []
      for end in ends { self.next(scalar, bytes, end, &next) }
      if next.isEmpty {
        let isEnough = count >= max(Self.fewest, (scalars.count + 1) / 2)
        return isEnough ? ends.filter { Self.isCut(bytes, at: $0) }.max() : nil
      }
      // Each end is checked once. Otherwise, each further letter could multiply the number of ends.
      ends = next.count > 1 ? Array(Set(next)) : next
    }
    return ends.max()
  }

  /// The smallest number of letters with which a truncated spelling counts. Fewer letters could be a coincidence.
  private static let fewest = 4

  private static let cuts = ["…", "...", "\\u2026"].map { Array($0.utf8) }

  private static func isCut(_ bytes: [UInt8], at index: Int) -> Bool {
    index == bytes.count || cuts.contains { bytes[index...].starts(with: $0) }
  }

  /// Adds to `ends` every index at which a spelling of the letter ends, among those that begin at `start`.
  private func next(_ scalar: Letter, _ bytes: [UInt8], _ start: Int, _ ends: inout [Int]) {
    guard start < bytes.count else { return }
    if let line = DecodedText.softBreak(bytes, start) { next(scalar, bytes, line, &ends) }
    for wide in scalar.wide where bytes[start...].starts(with: wide) { ends.append(start + wide.count) }
    var octets = [start]
    for byte in scalar.bytes {
      var next: [Int] = []
      for index in octets { octet(byte, bytes, index, &next) }
      octets = next
    }
    ends += octets
    switch bytes[start] {
    case .backslash: escape(scalar.value, bytes, start, &ends)
    case .ampersand: reference(scalar.value, bytes, start, &ends)
    case .percent where start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "u"):
      if let end = unicodeEscape(scalar.value, bytes, start + 2) { ends.append(end) }
    default: break
    }
  }

  /// Adds to `ends` the indices after the spellings of one byte that begin at `start`: plain, in quoted-printable, or
  /// in percent encoding, which may be nested (`%2520`).
  private func octet(_ byte: UInt8, _ bytes: [UInt8], _ start: Int, _ ends: inout [Int]) {
    guard start < bytes.count else { return }
    let found = bytes[start]
    if found == byte || (ignoresCase && found.lowercased == byte.lowercased) || (found == .plus && byte == .space) {
      ends.append(start + 1)
    }
    if found == .equals, let (value, end) = Self.number(bytes, start + 1, digits: 2...2), value == UInt32(byte) {
      ends.append(end)
    }
    guard found == .percent else { return }
    var digits = start + 1
    while let high = Self.number(bytes, digits, digits: 2...2) {
      if high.0 == UInt32(byte) { ends.append(high.1) }
      guard high.0 == UInt32(UInt8.percent) else { return }
      digits += 2
    }
  }

  /// Adds to `ends` the indices at which an escape of the letter ends. The escape begins with one backslash, or with
  /// several if the escaped text was escaped again.
  private func escape(_ value: UInt32, _ bytes: [UInt8], _ start: Int, _ ends: inout [Int]) {
    var index = start
    while index < bytes.count, bytes[index] == .backslash {
      index += 1
      if value == UInt32(UInt8.backslash) { ends.append(index) }
    }
    guard index < bytes.count else { return }
    let letter = bytes[index]
    if letter == UInt8(ascii: "u") {
      if let end = unicodeEscape(value, bytes, index + 1) { ends.append(end) }
    } else if letter == UInt8(ascii: "x") {
      if let (found, end) = Self.number(bytes, index + 1, digits: 2...2), found == value { ends.append(end) }
    } else if Self.controls[letter] == value || (UInt32(letter) == value && !letter.isAlphanumeric) {
      ends.append(index + 1)
    }
  }

  /// The index after an escape of the letter whose digits begin at `start`: `0041`, `{41}` or, for a surrogate pair,
  /// `d83d\ude00` or `d83d%ude00`. Nil if the digits are those of another letter.
  private func unicodeEscape(_ value: UInt32, _ bytes: [UInt8], _ start: Int) -> Int? {
    if start < bytes.count, bytes[start] == UInt8(ascii: "{") {
      guard let (found, end) = Self.number(bytes, start + 1, digits: 1...6), found == value, end < bytes.count,
        bytes[end] == UInt8(ascii: "}")
      else { return nil }
      return end + 1
    }
    guard let (unit, end) = Self.number(bytes, start, digits: 4...4) else { return nil }
    if unit == value { return end }
    guard (0xD800..<0xDC00).contains(unit) else { return nil }
    var low = end
    while low < bytes.count, bytes[low] == .backslash || bytes[low] == .percent { low += 1 }
    guard low > end, low < bytes.count, bytes[low] == UInt8(ascii: "u"),
      let (second, last) = Self.number(bytes, low + 1, digits: 4...4), (0xDC00..<0xE000).contains(second)
    else { return nil }
    return 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00) == value ? last : nil
  }

  /// Adds to `ends` the index after the letter if it is written as a character reference of HTML or XML: `&amp;`,
  /// `&#38;`, `&#x26;`.
  private func reference(_ value: UInt32, _ bytes: [UInt8], _ start: Int, _ ends: inout [Int]) {
    guard let semicolon = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return }
    let name = String(decoding: bytes[(start + 1)..<semicolon], as: UTF8.self).lowercased()
    let found: UInt32? =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : Self.references[name]
    if found == value { ends.append(semicolon + 1) }
  }

  private static func number(_ bytes: [UInt8], _ start: Int, digits: ClosedRange<Int>) -> (UInt32, Int)? {
    var (value, index): (UInt32, Int) = (0, start)
    while index < bytes.count, index - start < digits.upperBound, let digit = bytes[index].hexadecimal {
      value = value << 4 | digit
      index += 1
    }
    return digits.contains(index - start) ? (value, index) : nil
  }

  private static let controls: [UInt8: UInt32] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]
  private static let references: [String: UInt32] = ["amp": 38, "lt": 60, "gt": 62, "quot": 34, "apos": 39]
}

extension UInt8 {
  fileprivate static let percent = UInt8(ascii: "%")
  fileprivate static let backslash = UInt8(ascii: "\\")
  fileprivate static let equals = UInt8(ascii: "=")
  fileprivate static let ampersand = UInt8(ascii: "&")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let plus = UInt8(ascii: "+")

  fileprivate var isUppercase: Bool { (0x41...0x5A).contains(self) }
  fileprivate var lowercased: UInt8 { isUppercase ? self + 0x20 : self }
  fileprivate var uppercased: UInt8 { (0x61...0x7A).contains(self) ? self - 0x20 : self }
  fileprivate var isAlphanumeric: Bool {
    (0x30...0x39).contains(self) || isUppercase || (0x61...0x7A).contains(self)
  }
  fileprivate var hexadecimal: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x41...0x46: UInt32(self - 0x37)
    case 0x61...0x66: UInt32(self - 0x57)
    default: nil
    }
  }
}
