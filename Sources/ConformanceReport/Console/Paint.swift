/// Colours for a terminal that wants them; text as it is for everything else.
struct Paint: Hashable, Sendable {
  /// What is said by colour, always besides words.
  enum Tone: String, Sendable {
    case good = "32"
    case bad = "1;31"
    case unsure = "1;35"
    case mild = "33"
    case strong = "1"
    case faint = "2"
  }

  var isOn: Bool

  func callAsFunction(_ tone: Tone, _ text: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// `1 case`, `2 cases`.
  package func counted(_ count: Int) -> String { "\(count) \(self)" + (count == 1 ? "" : "s") }
}
