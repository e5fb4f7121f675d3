import ConformanceVerdict
import JSONKit

/// The place and the kind of an unexpected observation, whatever was expected. If a verdict is unjudged because of an
/// observation, a violation with the same symptom is probably the cause.
struct Symptom: Hashable {
  private let subject: String
  private let path: [JSONPath.Step]
  private let observed: String

  /// The symptoms in a finding: the finding itself, and the difference of the observation that came near.
  static func all(in finding: Finding) -> [Symptom] {
    let noun = noun(of: finding.subject)
    let own = Symptom(
      subject: noun, path: finding.path.withoutIndices, observed: FailureMark.shape(of: finding.observed))
    guard finding.countsObservations, let start = finding.observed.firstRange(of: nearMiss)?.upperBound else {
      return [own]
    }
    let difference = finding.observed[start...].replacing(" expected ", with: ": expected ", maxReplacements: 1)
    guard let near = Finding(endOf: "\(noun) \(difference)") else { return [own] }
    let (path, observed) = (near.path.withoutIndices, FailureMark.shape(of: near.observed))
    return [own, Symptom(subject: String(noun.dropLast()), path: path, observed: observed)]
  }

  /// The symptoms in the reason of an unjudged verdict.
  static func all(in reason: String) -> [Symptom] {
    if let unused = reason.firstMatch(of: unusedFault) {
      return all(in: Finding(subject: "\(unused.1) requests", expected: "at least 1", observed: "0"))
    }
    return Finding(endOf: reason).map(all) ?? []
  }

  /// The end of the reason if a fault never fired. The exchange of the fault is in parentheses.
  private static var unusedFault: Regex<(Substring, Substring)> {
    #/the fault '.*' \((.+)\) was armed and never fired/#
  }

  /// The words before the differences of an observation that came near.
  private static let nearMiss = " came near: "

  /// The words that limit the observations of a subject to a part of a case. The label of a step follows.
  private static let limits: Set<Substring> = ["after", "before", "at"]

  /// The words of a subject before its first label and its filter, such as `event requests`.
  private static func noun(of subject: String) -> String {
    let words = FailureMark.withoutParticulars(subject).split(separator: " ")
    return words.prefix { !limits.contains($0) }.joined(separator: " ")
  }
}
