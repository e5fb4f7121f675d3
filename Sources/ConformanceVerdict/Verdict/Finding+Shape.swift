import JSONKit
import TextKit

extension Collection<Finding> {
  /// A digest of the kinds of these findings, as 16 hexadecimal digits. Runs whose findings are of the same kinds have
  /// the same digest, even if the observed values differ.
  package var shape: String {
    let kinds = Set(map(\.kind)).sorted().joined(separator: "\n")
    let digits = String(kinds.stableHash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Finding {
  /// The kind of the finding as a text: the subject, the path without indices, the expectation, and the kind of the
  /// observed value. Texts in quotes are replaced, because they may be random values of the run.
  fileprivate var kind: String {
    let (subject, expected) = (wording.subject.replacing(Self.quoted, with: "text"), wording.expected)
    let steps = path.steps.map { if case .key(let key) = $0 { key } else { "[]" } }
    return [
      subject, steps.joined(separator: "."), expected.replacing(Self.quoted, with: "text"),
      Self.kind(of: wording.observed, beside: expected),
    ].joined(separator: "|")
  }

  private static var quoted: Regex<Substring> { /"[^"]*"/ }

  /// The kind of an observed text. A number is compared with the first number in the expected text, so its kind is
  /// `fewer`, `more` or `as many`. For any other observed text, the kind is a word such as `object`, or the text's
  /// first word.
  private static func kind(of observed: String, beside expected: String) -> String {
    if let seen = number(at: observed.startIndex, of: observed) {
      guard let place = expected.firstIndex(where: \.isNumber), let wanted = number(at: place, of: expected) else {
        return "number"
      }
      return seen < wanted ? "fewer" : seen > wanted ? "more" : "as many"
    }
    switch observed.first {
    case "\"": return observed.hasPrefix("\"\"") ? "empty text" : "text"
    case "{": return "object"
    case "[": return observed.hasPrefix("[]") ? "empty list" : "list"
    default: return String(observed.prefix { $0 != " " && $0 != ";" })
    }
  }

  private static func number(at place: String.Index, of text: String) -> Int? {
    Int(text[place...].prefix { $0.isNumber })
  }
}
