import ConformanceModel
import JSONKit

extension SeededRandom {
  package mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// A text of characters that formats stumble over.
  package mutating func text() -> String {
    let pieces = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{7F}", "é", "e\u{301}", "👨‍👩‍👧", "\u{2028}", "$", "{",
      "}", "?",
    ]
    return (0..<count(0...6)).map { _ in pick(pieces) }.joined()
  }

  package mutating func number() -> JSON {
    let lexeme = pick([
      "0", "-0", "1", "-1", "1.0", "1.50", "1e3", "1E+3", "-2.5e-7", "9007199254740993",
      "123456789012345678901234567890", "0.1",
    ])
    return JSON.Number(lexeme: lexeme).map(JSON.number) ?? .null
  }

  /// Any JSON value, duplicates included.
  package mutating func json(depth: Int = 0) -> JSON {
    switch count(0...(depth < 4 ? 7 : 4)) {
    case 0: .null
    case 1: .bool(Bool.random(using: &self))
    case 2: number()
    case 3, 4: .string(text())
    case 5: .array((0..<count(0...3)).map { _ in json(depth: depth + 1) })
    default:
      .object(JSON.Object((0..<count(0...3)).map { _ in .init(key: text(), value: json(depth: depth + 1)) }))
    }
  }
}
