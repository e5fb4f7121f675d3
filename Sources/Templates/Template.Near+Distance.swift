import JSONKit

extension Template.Near {
  /// The distance between the instant that a value spells and the expected instant, in milliseconds. Nil if the value
  /// or the other instant does not spell an instant.
  package func distance(of value: JSON?, _ bindings: Bindings) -> Double? {
    guard let wanted = try? instant.render(bindings, [:]), let target = Self.instant(wanted, unit),
      let found = value.flatMap({ Self.instant($0, unit) })
    else { return nil }
    return abs(found - target - plus.milliseconds)
  }

  /// The instant that a value spells, in milliseconds since 1970. The value is a timestamp or, if the unit is not
  /// `timestamp`, a number of these units since 1970.
  private static func instant(_ value: JSON, _ unit: Unit) -> Double? {
    switch (value, unit) {
    case (.string(let text), .timestamp): Timestamp(iso8601: text).map { Double($0.milliseconds) }
    case (.string(let text), _): Timestamp(iso8601: text).map { Double($0.milliseconds) } ?? number(text, unit)
    case (.number(let number), .epochMilliseconds): number.double
    case (.number(let number), .epochSeconds): number.double * 1000
    default: nil
    }
  }

  /// The instant that a number in a text spells. Numbers in header fields are texts.
  private static func number(_ text: String, _ unit: Unit) -> Double? {
    JSON.Number(lexeme: text).flatMap { instant(.number($0), unit) }
  }

  /// Whether the template is an instant, or can become one when a case fills its holes.
  static func canBeInstant(_ node: Template.Node, _ unit: Unit) -> Bool {
    switch node {
    case .literal(let value): instant(value, unit) != nil
    case .hole, .text: true
    case .array, .object, .constraints: false
    }
  }
}
