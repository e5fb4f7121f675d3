import HTTPValues

/// Bytes that were decoded from other bytes, each with the place of its encoded form.
///
/// A secret may be encoded more than once, so a search decodes the result again.
struct DecodedText {
  private(set) var bytes: [UInt8] = []
  private var starts: [Int] = []
  private var ends: [Int] = []

  private mutating func add(_ byte: UInt8, _ start: Int, _ end: Int) {
    bytes.append(byte)
    starts.append(start)
    ends.append(end)
  }

  /// The place of the encoded form of these decoded bytes.
  func place(of range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<ends[range.upperBound - 1] }

  /// All texts of at least `shortest` bytes that result from decoding the bytes. Escapes in the bytes are decoded
  /// first. Then the result is decoded as base64 in either alphabet, as base32, as hexadecimal digits with or without
  /// separators, and as decimal numbers of bytes. Base64 and base32 may begin at any character and contain line breaks.
  static func all(in bytes: [UInt8], atLeast shortest: Int) -> [DecodedText] {
    // Two hexadecimal digits make a byte; no other encoding needs fewer characters for one byte.
    guard shortest > 0, bytes.count > shortest else { return [] }
    let text = unescaped(bytes)
    return text.bitRuns(of: 6, atLeast: shortest, sextet) + text.bitRuns(of: 5, atLeast: shortest, quintet)
      + text.digitRuns(atLeast: shortest) + text.numberRuns(atLeast: shortest)
  }
}

// MARK: - Escapes

extension DecodedText {
  /// The bytes after one round of decoding escapes of JSON, URLs, HTML and quoted-printable.
  private static func unescaped(_ bytes: [UInt8]) -> DecodedText {
    var text = DecodedText()
    var index = 0
    while index < bytes.count {
      let (byte, end) = escape(bytes, index) ?? (bytes[index], index + 1)
      text.add(byte, index, end)
      index = end
    }
    return text
  }

  private static func escape(_ bytes: [UInt8], _ start: Int) -> (UInt8, Int)? {
    switch bytes[start] {
    case UInt8(ascii: "%"): percent(bytes, start)
    case UInt8(ascii: "\\"): backslash(bytes, start)
    case UInt8(ascii: "&"): reference(bytes, start)
    case UInt8(ascii: "="): softBreak(bytes, start).map { (0x0A, $0) }
    default: nil
    }
  }

  /// Decodes `%2B`, and `%252B`, which results from encoding twice. Returns the byte and the end of the escape.
  private static func percent(_ bytes: [UInt8], _ start: Int) -> (UInt8, Int)? {
    guard var value = hexadecimal(bytes, start + 1, count: 2) else { return nil }
    var end = start + 3
    while value == UInt32(UInt8(ascii: "%")), let next = hexadecimal(bytes, end, count: 2) {
      value = next
      end += 2
    }
    return (UInt8(truncatingIfNeeded: value), end)
  }

  private static func backslash(_ bytes: [UInt8], _ start: Int) -> (UInt8, Int)? {
    var index = start
    while index < bytes.count, bytes[index] == UInt8(ascii: "\\") { index += 1 }
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): return (0x0A, index + 1)
    case UInt8(ascii: "t"): return (0x09, index + 1)
    case UInt8(ascii: "/"), UInt8(ascii: "\""): return (bytes[index], index + 1)
    case UInt8(ascii: "u"):
      guard let value = hexadecimal(bytes, index + 1, count: 4), value < 0x80 else { return nil }
      return (UInt8(value), index + 5)
    case UInt8(ascii: "x"): return hexadecimal(bytes, index + 1, count: 2).map { (UInt8($0), index + 3) }
    default: return nil
    }
  }

  /// Decodes `&#43;` and `&#x2B;`. Returns the byte and the end of the reference.
  private static func reference(_ bytes: [UInt8], _ start: Int) -> (UInt8, Int)? {
    guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "#"),
      let end = bytes[start...].prefix(8).firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let digits = String(decoding: bytes[(start + 2)..<end], as: UTF8.self).lowercased()
    let value = digits.hasPrefix("x") ? UInt8(digits.dropFirst(), radix: 16) : UInt8(digits)
    return value.map { ($0, end + 1) }
  }

  /// The end of a soft line break of quoted-printable, which begins with `=`; nil if no such line break begins at
  /// `start`.
  static func softBreak(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "=") else { return nil }
    if bytes[start + 1] == 0x0A { return start + 2 }
    return bytes[start + 1] == 0x0D && start + 2 < bytes.count && bytes[start + 2] == 0x0A ? start + 3 : nil
  }

  private static func hexadecimal(_ bytes: [UInt8], _ start: Int, count: Int) -> UInt32? {
    guard start + count <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<(start + count)] {
      guard let digit = digit(byte) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
  }
}

// MARK: - Base64 and base32

extension DecodedText {
  /// The value of a character in either alphabet of base64 (RFC 4648); nil for any other character.
  private static func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x61) + 26
    case 0x30...0x39: UInt32(byte - 0x30) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// The value of a character of base32 (RFC 4648 §6), in upper or lower case; nil for any other character.
  private static func quintet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x61)
    case 0x32...0x37: UInt32(byte - 0x32) + 26
    default: nil
    }
  }

  /// Decodes the runs of characters that encode `bits` bits each. A run is decoded several times, with a different
  /// number of characters skipped at its beginning, since other characters of the same alphabet may precede the encoded
  /// text.
  private func bitRuns(of bits: Int, atLeast shortest: Int, _ value: (UInt8) -> UInt32?) -> [DecodedText] {
    var (found, run): ([DecodedText], [(index: Int, value: UInt32)]) = ([], [])
    func end() {
      if run.count * bits / 8 >= shortest {
        found += (0..<(bits == 6 ? 4 : 8)).map { decoded(run.dropFirst($0), bits) }
      }
      run = []
    }
    var index = 0
    while index < bytes.count {
      if let value = value(bytes[index]) {
        run.append((index, value))
        index += 1
      } else if !run.isEmpty, let next = lineBreak(at: index) {
        index = next
      } else {
        end()
        index += 1
      }
    }
    end()
    return found
  }

  private func decoded(_ run: some Sequence<(index: Int, value: UInt32)>, _ bits: Int) -> DecodedText {
    var text = DecodedText()
    var (held, count, first): (UInt32, Int, Int?) = (0, 0, nil)
    for (index, value) in run {
      held = held << UInt32(bits) | value
      count += bits
      if first == nil { first = index }
      guard count >= 8 else { continue }
      count -= 8
      text.add(UInt8(truncatingIfNeeded: held >> UInt32(count)), starts[first ?? index], ends[index])
      held &= 1 << UInt32(count) - 1
      first = count > 0 ? index : nil
    }
    return text
  }

  /// The end of a line break with the blanks around it; nil if no line break begins at `start`.
  private func lineBreak(at start: Int) -> Int? {
    var (index, hasBreak) = (start, false)
    while index < bytes.count, [0x09, 0x0A, 0x0D, 0x20].contains(bytes[index]) {
      if bytes[index] == 0x0A || bytes[index] == 0x0D { hasBreak = true }
      index += 1
    }
    return hasBreak ? index : nil
  }
}

// MARK: - Digits and numbers

extension DecodedText {
  /// The characters that may separate the digits of bytes. ``mostSeparators`` is the largest number of them in a row.
  private static let separators = Set(" :-,;.\t\r\n[](){}".utf8)
  private static let mostSeparators = 6

  /// The end of the separators that begin at an index; nil if there are too many.
  private func separatorsEnd(at start: Int) -> Int? {
    var index = start
    while index < bytes.count, Self.separators.contains(bytes[index]) { index += 1 }
    return index - start <= Self.mostSeparators ? index : nil
  }

  /// Decodes the runs of hexadecimal digits, with or without `0x` and separators.
  private func digitRuns(atLeast shortest: Int) -> [DecodedText] {
    var (found, run): ([DecodedText], [(index: Int, value: UInt32)]) = ([], [])
    func end() {
      if run.count / 2 >= shortest { found += (0..<2).map { decoded(run.dropFirst($0), 4) } }
      run = []
    }
    var index = 0
    while index < bytes.count {
      if hasPrefix0x(at: index) { index += 2 }
      let group = digits(at: index)
      guard !group.isEmpty else {
        end()
        index += 1
        continue
      }
      // A byte below 16 may have one digit.
      if group.count == 1 { run.append((index, 0)) }
      run += group
      index += group.count
      guard let next = separatorsEnd(at: index) else {
        end()
        continue
      }
      index = next
    }
    end()
    return found
  }

  private func hasPrefix0x(at index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index] == UInt8(ascii: "0")
      && (bytes[index + 1] == UInt8(ascii: "x") || bytes[index + 1] == UInt8(ascii: "X"))
      && Self.digit(bytes[index + 2]) != nil
  }

  private func digits(at start: Int) -> [(index: Int, value: UInt32)] {
    var digits: [(index: Int, value: UInt32)] = []
    for index in start..<bytes.count {
      guard let value = Self.digit(bytes[index]), !(digits.count > 0 && hasPrefix0x(at: index)) else { break }
      digits.append((index, value))
    }
    return digits
  }

  /// Decodes the runs of decimal numbers of bytes, signed or not: `[115, 51, -17]`.
  private func numberRuns(atLeast shortest: Int) -> [DecodedText] {
    var (found, run, index): ([DecodedText], DecodedText, Int) = ([], DecodedText(), 0)
    func end() {
      if run.bytes.count >= shortest { found.append(run) }
      run = DecodedText()
    }
    while index < bytes.count {
      guard let (value, next) = number(at: index) else {
        end()
        index += 1
        continue
      }
      run.add(value, starts[index], ends[next - 1])
      // Two numbers without a separator are one number.
      guard let rest = separatorsEnd(at: next), rest > next else {
        end()
        index = next
        continue
      }
      // A sign belongs to the number after it.
      index = rest > next + 1 && bytes[rest - 1] == UInt8(ascii: "-") ? rest - 1 : rest
    }
    end()
    return found
  }

  private func number(at start: Int) -> (UInt8, Int)? {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    var (value, index) = (0, isNegative ? start + 1 : start)
    let first = index
    while index < bytes.count, (0x30...0x39).contains(bytes[index]), index - first < 4 {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    guard index > first, isNegative ? value <= 128 : value <= 255 else { return nil }
    return (UInt8(truncatingIfNeeded: isNegative ? -value : value), index)
  }
}
