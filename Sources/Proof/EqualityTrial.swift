import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// Compares three verdicts on an implementation with one defect. The verdicts come from a run of all cases, from a run
/// of one requirement, and from the judgement of one transcript alone.
package struct EqualityTrial: Hashable, Sendable {
  /// A verdict that differs from the verdict of the whole run.
  package struct Difference: Hashable, Sendable {
    /// The way in which the other verdict was obtained.
    package enum Way: String, Sendable {
      /// The transcript of the case was judged alone.
      case alone
      /// The run was filtered to the requirement.
      case filtered
    }

    package var way: Way
    package var instance: CaseInstance
    package var requirement: RequirementID
    /// The verdict in the whole run.
    package var whole: String
    /// The verdict that was obtained in the other way.
    package var other: String
  }

  package var defect: DefectID
  /// The number of pairs of verdicts that were compared.
  package var compared: Int
  package var differences: [Difference]

  package init(defect: DefectID, compared: Int = 0, differences: [Difference] = []) {
    self.defect = defect
    self.compared = compared
    self.differences = differences
  }

  /// Compares the verdicts of a whole run with the verdicts on each transcript alone.
  mutating func compare(_ whole: [CaseResult], judgedBy judge: (Transcript) throws -> [Verdict]) rethrows {
    for result in whole {
      let alone = Dictionary(try judge(result.transcript).map { ($0.requirement, $0) }) { first, _ in first }
      for settled in result.settled {
        let verdict = alone[settled.requirement.id]
        compared += 1
        guard verdict?.outcome != settled.verdict.outcome else { continue }
        differences.append(.init(.alone, settled.verdict, verdict?.outcome))
      }
    }
  }

  /// Compares the verdicts of whole runs on one requirement with the verdicts of runs that are filtered to this
  /// requirement. The cases run again, so only the kinds of outcomes must be the same. A verdict is different if no
  /// whole run has the outcome of a filtered run.
  mutating func compare(_ wholes: [[CaseResult]], _ requirement: RequirementID, filtered: [[CaseResult]]) {
    let others = filtered.map { run in
      Dictionary(run.verdicts(on: requirement).map { ($0.instance, $0.outcome) }) { first, _ in first }
    }
    let outcomes = Dictionary(grouping: wholes.joined().verdicts(on: requirement), by: \.instance)
      .mapValues { Set($0.map(\.outcome.word)) }
    for verdict in wholes.first?.verdicts(on: requirement) ?? [] {
      compared += 1
      let other = others.map { $0[verdict.instance] }
      guard (outcomes[verdict.instance] ?? []).isDisjoint(with: other.compactMap { $0?.word }) else { continue }
      differences.append(.init(.filtered, verdict, other.first ?? nil))
    }
  }
}

extension EqualityTrial.Difference {
  fileprivate init(_ way: Way, _ whole: Verdict, _ other: Verdict.Outcome?) {
    self.init(
      way: way, instance: whole.instance, requirement: whole.requirement, whole: whole.outcome.word,
      other: other?.word ?? "no verdict")
  }
}

extension Sequence<CaseResult> {
  fileprivate func verdicts(on requirement: RequirementID) -> [Verdict] {
    flatMap { $0.settled.filter { $0.requirement.id == requirement }.map(\.verdict) }
  }

  /// The requirements for which at least one verdict is a violation or unjudged.
  var doubtedRequirements: Set<RequirementID> {
    reduce(into: []) { doubted, result in
      for settled in result.settled where ["violates", "unjudged"].contains(settled.verdict.outcome.word) {
        doubted.insert(settled.requirement.id)
      }
    }
  }
}

extension Verdict.Outcome {
  /// The kind of the outcome.
  var word: String {
    switch self {
    case .conforms: "conforms"
    case .violates: "violates"
    case .unjudged: "unjudged"
    case .notApplicable: "not applicable"
    }
  }
}
