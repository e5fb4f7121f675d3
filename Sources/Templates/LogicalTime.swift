/// A span or an instant on the clock of a case, in milliseconds. An instant is the span from the start of the case.
///
/// All times in cases are logical. The ``ClockMode`` decides how much real time passes meanwhile.
package struct LogicalTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var milliseconds: Double

  package init(milliseconds: Double) { self.milliseconds = milliseconds }

  package static let zero = LogicalTime(milliseconds: 0)
  package static func seconds(_ value: Double) -> LogicalTime { LogicalTime(milliseconds: value * 1000) }
  package static func milliseconds(_ value: Double) -> LogicalTime { LogicalTime(milliseconds: value) }
  package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
  package static func + (left: Self, right: Self) -> Self { Self(milliseconds: left.milliseconds + right.milliseconds) }
  package static func - (left: Self, right: Self) -> Self { Self(milliseconds: left.milliseconds - right.milliseconds) }

  /// The longest time that a case is allowed to name (285,000 years), in milliseconds. Up to this number, a `Double` is
  /// exact for whole milliseconds.
  private static let limit = 9_007_199_254_740_992.0

  /// Parses a time such as `800ms`, `2s`, `1.5s`, `90m` or `48h`; nil for any other text.
  package init?(_ text: String) {
    let unit = text.drop { $0.isNumber || $0 == "." }
    guard let value = Double(text.prefix(text.count - unit.count)), value >= 0,
      let scale = ["ms": 1.0, "s": 1000.0, "m": 60_000.0, "h": 3_600_000.0][String(unit)],
      value * scale <= Self.limit
    else { return nil }
    milliseconds = value * scale
  }

  /// The time as cases spell it, in the largest unit in which it is a whole number.
  package var description: String {
    if milliseconds == 0 { return "0ms" }
    for (unit, scale) in [("h", 3_600_000.0), ("m", 60_000.0), ("s", 1000.0)]
    where milliseconds.truncatingRemainder(dividingBy: scale) == 0 {
      return Self.digits(milliseconds / scale) + unit
    }
    return Self.digits((milliseconds * 1000).rounded() / 1000) + "ms"
  }

  /// The number as text, without a fraction if it is an integer. It is not converted to `Int`, since a sum of times can
  /// be too large for `Int`.
  private static func digits(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }
}

/// One type is used for instants and for spans, since all instants count from the start of the case.
extension LogicalTime: InstantProtocol, DurationProtocol {
  package func advanced(by span: Self) -> Self { self + span }
  package func duration(to other: Self) -> Self { other - self }
  package static func / (span: Self, divisor: Int) -> Self { Self(milliseconds: span.milliseconds / Double(divisor)) }
  package static func * (span: Self, factor: Int) -> Self { Self(milliseconds: span.milliseconds * Double(factor)) }
  package static func / (span: Self, other: Self) -> Double { span.milliseconds / other.milliseconds }
}

/// The way in which a case's logical time passes.
package enum ClockMode: String, CaseIterable, Sendable {
  /// The runner moves the subject's clock. No real time passes.
  case virtual
  /// The clock and the subject's timers run faster than real time by the same factor.
  case scaled
  /// The clock runs as real time does.
  case real
}
