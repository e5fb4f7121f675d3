import ConformanceModel
import ConformanceSpec

/// Text on its way to a terminal or a log: the one door to both.
///
/// Literals are the kit's own and stay as they are. Whatever is put into one, a path, a name of a record, what an adapter
/// said, may come from anywhere, and is shown on one line in its visible form. ``Terminal`` takes nothing else.
struct TerminalText: Hashable, Sendable {
  fileprivate(set) var text: String

  /// Text that others laid out in lines: line ends and tabs stay, everything else is visible.
  static func lines(_ text: String) -> TerminalText {
    TerminalText(text: text.visible { $0.isObeyed && $0 != "\n" && $0 != "\t" })
  }

  /// A row of a list, its cells between tabs.
  static func row(_ text: String) -> TerminalText {
    TerminalText(text: text.visible { $0.isObeyed && $0 != "\t" } + "\n")
  }

  /// The view of a run, which has colours and draws its progress over itself where a terminal shows it: of what a
  /// terminal obeys, only these stay, and only where they are wanted.
  static func view(_ text: String, isStyled: Bool) -> TerminalText {
    guard isStyled else { return lines(text) }
    var result = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: /\u{1B}\[(?:[0-9;]*m|K)|\r(?=\u{1B}\[K)/) {
      result += lines(String(rest[..<match.range.lowerBound])).text + match.output
      rest = rest[match.range.upperBound...]
    }
    return TerminalText(text: result + lines(String(rest)).text)
  }

  /// What is wrong, a line each, after the name of the program.
  static func complaint(_ error: any Error) -> TerminalText {
    let lines = (error as? CatalogueError)?.diagnostics.map(\.description) ?? ["\(error)"]
    return "conform: " + TerminalText(text: lines.map(\.visibleOnOneLine).joined(separator: "\n"))
  }

  static func + (left: Self, right: Self) -> Self { Self(text: left.text + right.text) }
}

extension TerminalText: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Puts a text together of literals, and of what is made visible.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: some Any) { text += "\(value)".visibleOnOneLine }
    mutating func appendInterpolation(_ value: TerminalText) { text += value.text }
  }
}
