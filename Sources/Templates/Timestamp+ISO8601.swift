import JSONKit

extension Timestamp {
  /// Parses an instant in any form that ISO 8601 allows for a calendar date with a time of day and an offset from UTC.
  /// Also allowed are the basic format without separators, reduced precision (`2026-03-01T00:00Z`), a decimal comma,
  /// and the offset `±hh`. A fraction belongs to the smallest unit in the text. The result is nil for any other text.
  /// Source: ISO 8601-1:2019, 5.2.2, 5.3 and 5.4.
  package init?(iso8601 text: String) {
    if let plain = Timestamp(text) {
      self = plain
      return
    }
    var rest = Array(text.utf8)[...]
    guard let (year, month, day) = Self.date(&rest), let separator = rest.popFirst(),
      separator == UInt8(ascii: "T") || separator == UInt8(ascii: "t"), let time = Self.timeOfDay(&rest),
      let offset = Self.offset(&rest), rest.isEmpty, let midnight = Self.midnight(year, month, day)
    else { return nil }
    milliseconds = midnight.milliseconds + time - offset
  }

  /// Midnight UTC at the start of a day; nil if the day does not exist in the calendar.
  private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Timestamp? {
    func padded(_ value: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
    }
    return Timestamp("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T00:00:00Z")
  }

  /// Parses `YYYY-MM-DD` or `YYYYMMDD`.
  private static func date(_ rest: inout ArraySlice<UInt8>) -> (year: Int, month: Int, day: Int)? {
    guard let year = digits(4, &rest) else { return nil }
    let isExtended = take("-", &rest)
    guard let month = digits(2, &rest), !isExtended || take("-", &rest), let day = digits(2, &rest) else { return nil }
    return (year, month, day)
  }

  /// Parses `hh`, `hh:mm`, `hh:mm:ss`, or these forms without colons; the last unit may have a fraction. Returns the
  /// milliseconds since midnight.
  private static func timeOfDay(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let hour = digits(2, &rest) else { return nil }
    var milliseconds = hour * 3_600_000
    var unit = 3_600_000
    let isExtended = rest.first == UInt8(ascii: ":")
    for size in [60_000, 1000] {
      if isExtended { guard take(":", &rest) else { break } }
      guard let value = digits(2, &rest) else {
        // After a colon, digits must follow. A time without colons may end here.
        if isExtended { return nil }
        break
      }
      guard value < 60 || (value == 60 && size == 1000) else { return nil }
      milliseconds += value * size
      unit = size
    }
    if let part = fraction(&rest) { milliseconds += Int(part * Double(unit) + 1e-6) }
    return milliseconds <= 86_400_000 + 1000 && hour <= 24 && (hour < 24 || milliseconds == 86_400_000)
      ? milliseconds : nil
  }

  /// Parses a decimal sign and the fraction after it. Returns a number below 1; nil if the rest does not begin with a
  /// fraction.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
    guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return nil }
    let written = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    guard !written.isEmpty else { return nil }
    rest = rest.dropFirst(written.count + 1)
    return Double("0." + String(decoding: written, as: UTF8.self))
  }

  /// Parses an offset from UTC: `Z`, `±hh`, `±hhmm` or `±hh:mm`. Returns the milliseconds by which local time is ahead
  /// of UTC.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if take("Z", &rest) || take("z", &rest) { return 0 }
    let sign = take("+", &rest) ? 1 : take("-", &rest) ? -1 : 0
    guard sign != 0, let hour = digits(2, &rest), hour < 24 else { return nil }
    let isExtended = take(":", &rest)
    guard let minute = digits(2, &rest) else { return isExtended ? nil : sign * hour * 3_600_000 }
    return minute < 60 ? sign * (hour * 60 + minute) * 60_000 : nil
  }

  private static func take(_ sign: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
    let taken = rest.prefix(count)
    guard taken.count == count, taken.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

extension JSON {
  /// Whether both values are texts that spell the same instant, each in any form of ISO 8601.
  package func isSameInstant(as other: JSON) -> Bool {
    guard let one = string.flatMap({ Timestamp(iso8601: $0) }),
      let two = other.string.flatMap({ Timestamp(iso8601: $0) })
    else { return false }
    return one == two
  }
}
