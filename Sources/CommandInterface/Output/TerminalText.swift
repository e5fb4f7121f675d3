import ConformanceSpec
import SpecDocuments

/// Text for a terminal or a log. ``Terminal`` accepts only this type.
///
/// Literals come from the kit and stay unchanged. Interpolated values, such as paths, names in a record and messages of
/// adapters, are untrusted: they appear on one line, with control characters made visible.
package struct TerminalText: Hashable, Sendable {
  fileprivate(set) var text: String

  /// Text with its own layout: line ends and tabs stay, and all other control characters are made visible.
  package static func lines(_ text: String) -> TerminalText {
    TerminalText(text: text.visible { $0.isObeyed && $0 != "\n" && $0 != "\t" })
  }

  /// A row of a list. Tabs separate its cells.
  static func row(_ text: String) -> TerminalText {
    TerminalText(text: text.visible { $0.isObeyed && $0 != "\t" } + "\n")
  }

  /// The view of a run, with colours and a progress line on a terminal. If `isStyled`, the control characters for
  /// colours and for the progress line stay. All other control characters are made visible.
  package static func view(_ text: String, isStyled: Bool) -> TerminalText {
    guard isStyled else { return lines(text) }
    var result = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: /\u{1B}\[(?:[0-9;]*m|K)|\r(?=\u{1B}\[K)/) {
      result += lines(String(rest[..<match.range.lowerBound])).text + match.output
      rest = rest[match.range.upperBound...]
    }
    return TerminalText(text: result + lines(String(rest)).text)
  }

  /// The error message: the name of the program, and one line for each problem.
  package static func complaint(_ error: any Error) -> TerminalText {
    let lines = (error as? CatalogueError)?.diagnostics.map(\.description) ?? ["\(error)"]
    return "conform: " + TerminalText(text: lines.map(\.visibleOnOneLine).joined(separator: "\n"))
  }

  package static func + (left: Self, right: Self) -> Self { Self(text: left.text + right.text) }
}

extension TerminalText: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { text = value }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Joins literals with interpolated values. Control characters in the values are made visible.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ value: some Any) { text += "\(value)".visibleOnOneLine }
    package mutating func appendInterpolation(_ value: TerminalText) { text += value.text }
  }
}
