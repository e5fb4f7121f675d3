import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Templates

extension LinkFortyChecks {
  static let instantsApart = Check(
    text: """
      Two instants in the outcomes of steps have this distance: `earlier` and `later` each name a `step` and the path `at` \
      which its instant is, `by` is the distance in milliseconds, and `within` is its tolerance (2000).
      """,
    [.init("earlier", place), .init("later", place), .init("by", .integer), .optional("within", .integer)]
  ) { evidence, with in
    guard let by = with["by"]?.int, let earlier = Place(with["earlier"]), let later = Place(with["later"]) else {
      throw Check.Misuse(wanted: "'earlier', 'later' and 'by'")
    }
    let findings = [earlier, later].compactMap { $0.missing(in: evidence) }
    guard let first = earlier.instant(in: evidence), let second = later.instant(in: evidence) else { return findings }
    let limit = with["within"]?.int ?? 2000
    if abs(second - first - by) <= limit { return [] }
    let entries = [earlier, later].flatMap { evidence.outcomes[$0.step]?.entries ?? [] }
    return [
      Finding(
        subject: "step '\(earlier.step)'", path: earlier.path,
        expected: "\(Timestamp(milliseconds: second - by).text), within \(limit) ms",
        observed: Timestamp(milliseconds: first).text, entries: entries)
    ]
  }

  /// The parameter that names the place of an expected instant: the outcome of a step, and a path in it.
  private static let place = Check.Parameter.Kind.object([.init("step", .outcome), .init("at", .path)])

  /// The place of an instant: the label of a step, and a path in its outcome.
  private struct Place {
    var step: String
    var path: JSONPath

    init?(_ with: JSON?) {
      guard let step = with?["step"]?.string, let path = (with?["at"]?.string).flatMap({ JSONPath($0) }) else {
        return nil
      }
      self.step = step
      self.path = path
    }

    func instant(in evidence: Evidence) -> Int? {
      (evidence.outcomes[step]?.view[path]?.string).flatMap { Timestamp(iso8601: $0) }?.milliseconds
    }

    func missing(in evidence: Evidence) -> Finding? {
      guard instant(in: evidence) == nil else { return nil }
      return Finding(
        subject: "step '\(step)'", path: path, expected: "an instant in ISO 8601",
        observed: evidence.outcomes[step]?.view[path]?.excerpt ?? "nothing",
        entries: evidence.outcomes[step]?.entries ?? [])
    }
  }
}
