import ConformanceModel
import ConformanceVerdict
import JSONKit

/// A mark by which violations with one cause are recognized: the subject and the path of a finding, and the kinds of
/// the expected and the observed value, without concrete values and labels.
///
/// A finding that counts observations can have almost any cause. So its mark also contains the labels, the filter and
/// the expected number.
struct FailureMark: Hashable {
  private var subject: String
  private let path: [JSONPath.Step]
  private var expected: String
  private let observed: String

  init(_ finding: Finding) {
    self.init(coarse: finding)
    guard finding.countsObservations else { return }
    (subject, expected) = (finding.wording.subject, finding.wording.expected)
  }

  /// A mark without labels, filters and expected numbers, even if the finding counts observations.
  init(coarse finding: Finding) {
    subject = Self.withoutParticulars(finding.subject)
    path = finding.path.withoutIndices
    expected = Self.shape(of: finding.expected)
    observed = Self.shape(of: finding.observed)
  }

  /// The type of the JSON value that the text contains. If the text is not such a value, the text without its
  /// particulars.
  static func shape(of text: String) -> String {
    switch text.unicodeScalars.first {
    case "\""?: "a text"
    case "{"?: "an object"
    case "["?: "a list"
    case let first? where ("0"..."9").contains(first) || first == "-": "a number"
    default: withoutParticulars(text)
    }
  }

  /// The text without quoted parts, parts in parentheses and digits. If it is the subject of a finding, its filter is
  /// removed, too.
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

/// An observed value in a run of a case. Violations that concern the same observation have one cause.
struct Observation: Hashable {
  private let instance: CaseInstance
  private let subject: String
  private let path: JSONPath
  private let observed: String
  private let entries: [Int]

  init(_ finding: Finding, in instance: CaseInstance) {
    self.instance = instance
    (subject, path, observed, entries) = (finding.subject, finding.path, finding.observed, finding.entries)
  }
}

extension Finding {
  /// The nouns for observations. If the subject of a finding contains one of them, the finding counts observations.
  private static let counted: Set<Substring> = [
    "requests", "responses", "calls", "replies", "ends", "elements", "connections",
  ]

  /// Whether the finding is about the number of observations, such as `event requests: expected 1, observed 0`.
  var countsObservations: Bool {
    path == .root && subject.prefix { $0 != "'" }.split(separator: " ").contains(where: Self.counted.contains)
  }
}

extension JSONPath {
  /// The steps of the path, with the index 0 for every element of a list, so that all elements count as one place.
  var withoutIndices: [Step] { steps.map { if case .index = $0 { .index(0) } else { $0 } } }
}
