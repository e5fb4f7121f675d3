import ConformanceVerdict
import JSONKit

/// A mark that violations with one cause share: the subject, the place, and the form of the expected and observed
/// values, without concrete values, labels and counts.
struct FailureMark: Hashable {
  private let subject: String
  private let path: [JSONPath.Step]
  private let expected: String
  private let observed: String

  init(_ finding: Finding) {
    subject = Self.withoutParticulars(finding.subject)
    path = finding.path.steps.map { step in
      if case .index = step { .index(0) } else { step }
    }
    expected = Self.shape(of: finding.expected)
    observed = Self.shape(of: finding.observed)
  }

  /// The type of the value in a text, or the text without its particulars if it is not a value.
  private static func shape(of text: String) -> String {
    switch text.unicodeScalars.first {
    case "\""?: "a text"
    case "{"?: "an object"
    case "["?: "a list"
    case let first? where ("0"..."9").contains(first) || first == "-": "a number"
    default: withoutParticulars(text)
    }
  }

  /// The text without quoted parts, parts in parentheses and digits, and without the filter of a subject.
  static func withoutParticulars(_ text: String) -> String {
    var closer: UInt8?
    var kept: [UInt8] = []
    for byte in text.prefix(upTo: text.firstRange(of: Finding.filterWord)?.lowerBound ?? text.endIndex).utf8 {
      if let end = closer {
        if byte == end { closer = nil }
      } else if let end = closers[byte] {
        closer = end
      } else if !(0x30...0x39).contains(byte) {
        kept.append(byte)
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let closers: [UInt8: UInt8] = [
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "("): UInt8(ascii: ")"),
  ]
}
