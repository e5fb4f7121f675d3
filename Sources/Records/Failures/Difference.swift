import ConformanceVerdict

/// An expected and an observed value, with all places at which the two differ in the same way.
package struct Difference: Hashable {
  package var subject: String
  package var expected: String
  package var observed: String
  /// The places that differ, as paths in the value that ``subject`` names. Empty if the whole value differs.
  package var paths: [String]
  /// The numbers of the transcript entries that show the difference.
  package var entries: [Int]

  /// The differences that the findings describe. Findings that differ only in their paths and entries become one
  /// difference.
  package static func all(in findings: [Finding]) -> [Difference] {
    var differences: [Difference] = []
    for finding in findings {
      let path = finding.path == .root ? [] : [finding.path.description]
      let same = differences.firstIndex { known in
        known.subject == finding.subject && known.expected == finding.expected && known.observed == finding.observed
          && known.paths.isEmpty == path.isEmpty
      }
      guard let same else {
        differences.append(
          .init(
            subject: finding.subject, expected: finding.expected, observed: finding.observed, paths: path,
            entries: finding.entries))
        continue
      }
      for one in path where !differences[same].paths.contains(one) { differences[same].paths.append(one) }
      for one in finding.entries where !differences[same].entries.contains(one) {
        differences[same].entries.append(one)
      }
    }
    return differences
  }
}
