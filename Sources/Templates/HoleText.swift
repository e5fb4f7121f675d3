import JSONKit

/// A text, split into its holes `${…}` and the text between them. The content of the holes is not checked. `$${` is an
/// escape for the text `${`.
package struct HoleText: Sendable {
  /// A part of the text.
  package enum Piece: Hashable, Sendable {
    /// Text as written, including escapes.
    case literal(Substring)
    /// A hole as written, and the text between its braces.
    case hole(written: Substring, inside: Substring)
  }

  package private(set) var pieces: [Piece] = []
  /// Whether the text contains a `${` without a `}` after it. Such a `${` is a part of a literal piece.
  package private(set) var isOpen = false

  package init(_ text: String) {
    // The search is by bytes, because the marks of a hole are ASCII and a search by characters takes several times as
    // long.
    let bytes = text.utf8
    var start = bytes.startIndex
    var place = start
    while let mark = bytes[place...].firstIndex(of: UInt8(ascii: "$")) {
      let rest = bytes[mark...]
      if rest.starts(with: "$${".utf8) {
        place = bytes.index(mark, offsetBy: 3)
      } else if rest.starts(with: "${".utf8) {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
          isOpen = true
          break
        }
        if start < mark { pieces.append(.literal(text[start..<mark])) }
        pieces.append(.hole(written: text[mark...end], inside: text[bytes.index(mark, offsetBy: 2)..<end]))
        place = bytes.index(after: end)
        start = place
      } else {
        place = bytes.index(after: mark)
      }
    }
    if start < bytes.endIndex { pieces.append(.literal(text[start...])) }
  }

  package var hasHoles: Bool { pieces.contains { if case .hole = $0 { true } else { false } } }

  /// The text that a literal piece spells: each `$${` becomes `${`.
  package static func unescaped(_ literal: Substring) -> String { String(literal).replacing("$${", with: "${") }
}

extension JSON {
  /// A copy of this JSON in which holes are filled with `values`. If a text consists of one hole, the value of the hole
  /// replaces the text. If a hole is a part of a longer text, or is in a member's name, the value is inserted as text.
  /// Holes without a value, and the escape `$${`, are not changed.
  package func filled(with values: Bindings) -> JSON {
    switch self {
    case .null, .bool, .number: self
    case .string(let text): HoleText.filled(text, with: values) ?? self
    case .array(let elements): .array(elements.map { $0.filled(with: values) })
    case .object(let object):
      .object(
        Object(
          object.members.map { member in
            let key = HoleText.filled(member.key, with: values)
            return Object.Member(
              key: key.map { $0.string ?? $0.compactText } ?? member.key, value: member.value.filled(with: values))
          }))
    }
  }
}

extension HoleText {
  /// The value of a text with its holes filled; nil if none of its holes has a value.
  fileprivate static func filled(_ text: String, with values: Bindings) -> JSON? {
    // Most texts have no hole, and each text is checked for each row of a case.
    text.utf8.contains(UInt8(ascii: "$")) ? HoleText(text).filled(with: values) : nil
  }

  private func filled(with values: Bindings) -> JSON? {
    func value(_ inside: Substring) -> JSON? { values[String(inside.prefix { $0 != ":" })] }
    if pieces.count == 1, case .hole(_, let inside) = pieces[0] { return value(inside) }
    let asks = pieces.contains { if case .hole(_, let inside) = $0 { value(inside) != nil } else { false } }
    guard asks else { return nil }
    return .string(
      pieces.reduce(into: "") { result, piece in
        switch piece {
        case .literal(let literal): result += literal
        case .hole(let written, let inside):
          result += value(inside).map(\.textInText) ?? String(written)
        }
      })
  }
}

extension JSON {
  /// The value as it is inserted into a text. `{"$repeat": TEXT, "times": N}` becomes the long text that it spells.
  fileprivate var textInText: String {
    if let text = string { return text }
    guard object?["$repeat"] != nil, case .literal(.string(let text))? = (try? Template(self))?.node else {
      return compactText
    }
    return text
  }
}
