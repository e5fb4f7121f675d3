import ConformanceModel
import JSONKit

extension JSON {
  /// The value with the holes that these values fill: a text that is one hole becomes the value, a hole inside a text or a
  /// member's name becomes the value's text. Holes of other names, and the escape `$${`, stay as they are.
  func filled(with values: Bindings) -> JSON {
    switch self {
    case .null, .bool, .number: self
    case .string(let text): HoleText(text).filled(with: values)
    case .array(let elements): .array(elements.map { $0.filled(with: values) })
    case .object(let object):
      .object(
        Object(
          object.members.map { member in
            let key = HoleText(member.key).filled(with: values)
            return Object.Member(key: key.string ?? key.compactText, value: member.value.filled(with: values))
          }))
    }
  }
}

/// A text cut at its holes, without a judgement on what stands in them.
private struct HoleText {
  private enum Piece {
    case literal(Substring)
    /// As it is written, and the name in it.
    case hole(Substring, name: String)
  }

  private let text: String
  private var pieces: [Piece] = []

  init(_ text: String) {
    self.text = text
    guard text.utf8.contains(UInt8(ascii: "$")) else { return }
    var rest = text[...]
    var start = rest.startIndex
    while let mark = rest.firstIndex(of: "$") {
      rest = rest[mark...]
      if rest.hasPrefix("$${") {
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${"), let end = rest.firstIndex(of: "}") {
        if start < mark { pieces.append(.literal(text[start..<mark])) }
        let inside = rest[rest.index(mark, offsetBy: 2)..<end]
        pieces.append(.hole(rest[...end], name: String(inside.prefix { $0 != ":" })))
        rest = rest[rest.index(after: end)...]
        start = rest.startIndex
      } else {
        rest = rest.dropFirst()
      }
    }
    if start < text.endIndex { pieces.append(.literal(text[start...])) }
  }

  func filled(with values: Bindings) -> JSON {
    if pieces.count == 1, case .hole(_, let name) = pieces[0], let value = values[name] { return value }
    guard pieces.contains(where: { if case .hole = $0 { true } else { false } }) else { return .string(text) }
    return .string(
      pieces.reduce(into: "") { result, piece in
        switch piece {
        case .literal(let literal): result += literal
        case .hole(let written, let name):
          result += values[name].map { $0.string ?? $0.compactText } ?? String(written)
        }
      })
  }
}
