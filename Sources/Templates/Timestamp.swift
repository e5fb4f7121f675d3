#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An instant that a text in ISO 8601 or RFC 3339 spells: date, time, a fraction of any length, and an offset from UTC.
package struct Timestamp: Hashable, Sendable {
  /// The milliseconds since 1970-01-01T00:00:00Z. Fractions of a millisecond are cut off.
  package var milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// The instant this number of days later. Each day has 24 hours.
  package func adding(days: Int) -> Timestamp { Timestamp(milliseconds: milliseconds + days * 86_400_000) }

  /// The present time of the machine's clock.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
  }

  /// Parses a text such as `2026-03-12T08:00:00Z`, with an optional fraction and with `Z` or `±hh:mm`; nil for any
  /// other text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x74,
      bytes[13] == 0x3A, bytes[16] == 0x3A
    else { return nil }
    func digits(_ range: Range<Int>) -> Int? {
      guard bytes.count >= range.upperBound else { return nil }
      return bytes[range].reduce(Optional(0)) { value, byte in
        guard let value, (0x30...0x39).contains(byte) else { return nil }
        return value * 10 + Int(byte - 0x30)
      }
    }
    guard let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10), let hour = digits(11..<13),
      let minute = digits(14..<16), let second = digits(17..<19), (1...12).contains(month), hour < 24, minute < 60,
      second <= 60, (1...Timestamp.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    var index = 19
    var fraction = 0
    if bytes[index] == 0x2E {
      let end = bytes[(index + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
      guard end > index + 1 else { return nil }
      let places = bytes[(index + 1)..<end].prefix(3) + [0x30, 0x30]
      fraction = places.prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
      index = end
    }
    guard let offset = Timestamp.zoneOffset(bytes[index...]) else { return nil }
    let seconds = Timestamp.days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
    milliseconds = seconds * 1000 + fraction
  }

  /// The instant in UTC with milliseconds: `2026-03-12T08:00:00.000Z`.
  package var text: String {
    let days = milliseconds.quotient(by: 86_400_000)
    let rest = milliseconds - days * 86_400_000
    let (year, month, day) = Timestamp.civil(days)
    let date = "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
    let time = "\((rest / 3_600_000).digits(2)):\((rest / 60000 % 60).digits(2)):\((rest / 1000 % 60).digits(2))"
    return "\(date)T\(time).\((rest % 1000).digits(3))Z"
  }

  /// The instant as HTTP header fields spell it, in whole seconds: `Thu, 12 Mar 2026 08:00:00 GMT` (RFC 9110 §5.6.7).
  package var httpDate: String {
    let days = milliseconds.quotient(by: 86_400_000)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days - days.quotient(by: 7) * 7]
    let (year, month, day) = Timestamp.civil(days)
    let name = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][month - 1]
    return "\(weekday), \(day.digits(2)) \(name) \(year.digits(4)) \(text.dropFirst(11).prefix(8)) GMT"
  }

  private static func zoneOffset(_ bytes: ArraySlice<UInt8>) -> Int? {
    let zone = Array(bytes)
    if zone == [0x5A] || zone == [0x7A] { return 0 }
    guard zone.count == 6, zone[0] == 0x2B || zone[0] == 0x2D, zone[3] == 0x3A,
      // Without this check, `Int` would accept a second sign.
      (zone[1...2] + zone[4...5]).allSatisfy({ (0x30...0x39).contains($0) }),
      let hour = Int(String(decoding: zone[1..<3], as: UTF8.self)), hour < 24,
      let minute = Int(String(decoding: zone[4..<6], as: UTF8.self)), minute < 60
    else { return nil }
    return (zone[0] == 0x2B ? 1 : -1) * (hour * 3600 + minute * 60)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days since 1970-01-01 in the proleptic Gregorian calendar. The computation lets years begin in March, so that
  /// a leap day is the last day of its year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
  }

  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let shifted = days + 719468
    let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
    let dayOfEra = shifted - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int {
  /// The quotient, rounded towards negative infinity.
  fileprivate func quotient(by divisor: Int) -> Int { (self >= 0 ? self : self - divisor + 1) / divisor }

  /// The number as text, with leading zeros up to this number of digits.
  fileprivate func digits(_ width: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
  }
}

/// The textual form of a UUID (RFC 9562 §4), in upper or lower case.
package enum UUIDText {
  /// Whether the text has hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  package static func isValid(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count == 36 else { return false }
    return zip(0..., bytes).allSatisfy { index, byte in
      switch (index, byte) {
      case (8, _), (13, _), (18, _), (23, _): byte == UInt8(ascii: "-")
      case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "A")...UInt8(ascii: "F")),
        (_, UInt8(ascii: "a")...UInt8(ascii: "f")):
        true
      default: false
      }
    }
  }
}
