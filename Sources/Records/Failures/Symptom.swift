import ConformanceVerdict
import JSONKit

/// The place and the kind of an unexpected observation. Findings that expect different values can have the same
/// symptom. If a verdict is unjudged because of an observation, a violation with the same symptom is probably the
/// cause.
struct Symptom: Hashable {
  private let subject: String
  private let path: [JSONPath.Step]
  private let observed: String

  /// The symptoms in a finding. The first is the observed value of the finding itself. If the finding counts
  /// observations and describes an observation that almost fits its filter, the described difference is a symptom, too.
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

  /// Matches the end of the reason why a verdict is unjudged if a fault never fired. The text in parentheses names the
  /// exchange of the fault.
  private static var unusedFault: Regex<(Substring, Substring)> {
    #/the fault '.*' \((.+)\) was armed and never fired/#
  }

  /// The words that precede, in a finding, the differences between its filter and an observation that almost fits.
  private static let nearMiss = " came near: "

  /// The words with which the subject of a finding limits its observations to a part of the case, as in `after 'sale'`.
  /// After each word comes the label of a step.
  private static let limits: Set<Substring> = ["after", "before", "at"]

  /// The first words of the subject of a finding, without its filter and its labels, such as `event requests`.
  private static func noun(of subject: String) -> String {
    let words = FailureMark.withoutParticulars(subject).split(separator: " ")
    return words.prefix { !limits.contains($0) }.joined(separator: " ")
  }
}
