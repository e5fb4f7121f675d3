import JSONKit

extension Finding {
  private static let (expectedWord, observedWord, entryWords) = (
    ": expected ", ", observed ", [" (entry ", " (entries "]
  )

  /// Reads the finding with which a reason for an unjudged requirement ends. For example, the reason `the state 'sent'
  /// was not reached: event requests: expected 1, observed 0 (entry 4)` ends with a finding about `event requests`. Nil
  /// if the reason contains no finding.
  package init?(endOf reason: String) {
    guard let expects = reason.firstRange(of: Self.expectedWord),
      let observes = reason[expects.upperBound...].firstRange(of: Self.observedWord)
    else { return nil }
    let about = reason[..<expects.lowerBound]
    let place = about.ranges(of: ": ").last.map { about[$0.upperBound...] } ?? about
    var observed = reason[observes.upperBound...]
    var entries: [Int] = []
    if let numbers = Self.entryWords.compactMap({ observed.ranges(of: $0).last }).first, observed.hasSuffix(")") {
      entries = observed[numbers.upperBound...].split { !$0.isNumber }.compactMap { Int($0) }
      observed = observed[..<numbers.lowerBound]
    }
    let (subject, path) = Self.parts(of: place)
    self.init(
      subject: subject, path: path, expected: String(reason[expects.upperBound..<observes.lowerBound]),
      observed: String(observed), entries: entries)
  }

  /// Splits the first part of a finding: `event requests $.body` has the subject `event requests` and the path
  /// `$.body`.
  private static func parts(of place: Substring) -> (subject: String, path: JSONPath) {
    guard let start = place.ranges(of: " $").last, let path = JSONPath(String(place[start.lowerBound...].dropFirst()))
    else { return (String(place), .root) }
    return (String(place[..<start.lowerBound]), path)
  }
}
