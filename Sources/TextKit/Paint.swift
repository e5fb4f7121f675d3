/// Colours text for a terminal that supports colours. For other outputs, the text stays plain.
package struct Paint: Hashable, Sendable {
  /// The meaning of a colour. A coloured text must also express this meaning in words.
  package enum Tone: String, Sendable {
    case good = "32"
    case bad = "1;31"
    case unsure = "1;35"
    case mild = "33"
    case strong = "1"
    case faint = "2"
  }

  package var isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  package func callAsFunction(_ tone: Tone, _ text: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The noun with its number, such as `1 case` or `2 cases`.
  package func counted(_ count: Int) -> String { "\(count) \(self)" + (count == 1 ? "" : "s") }
}
