import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// Whether the verdicts on an implementation with one defect are the same in the whole run, in a run of one requirement, and
/// where the transcript of a case is judged alone.
package struct EqualityTrial: Hashable, Sendable {
  /// A verdict that is not the same everywhere.
  package struct Difference: Hashable, Sendable {
    /// The way to the verdict that is compared with the whole run.
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
    /// The other verdict.
    package var other: String
  }

  package var defect: DefectID
  /// How many pairs of verdicts were compared.
  package var compared: Int
  package var differences: [Difference]

  package init(defect: DefectID, compared: Int = 0, differences: [Difference] = []) {
    self.defect = defect
    self.compared = compared
    self.differences = differences
  }

  /// Compares the verdicts of a whole run with those on each transcript alone.
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

  /// Compares the verdicts of a whole run on one requirement with those of a run filtered to it. Every case is performed
  /// again, so that only the kind of an outcome has to be the same.
  mutating func compare(_ whole: [CaseResult], _ requirement: RequirementID, filtered: [CaseResult]) {
    let others = Dictionary(filtered.verdicts(on: requirement).map { ($0.instance, $0) }) { first, _ in first }
    for verdict in whole.verdicts(on: requirement) {
      compared += 1
      let other = others[verdict.instance]?.outcome
      guard other?.word != verdict.outcome.word else { continue }
      differences.append(.init(.filtered, verdict, other))
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

  /// The requirements on which a verdict is not `conforms` or *not applicable*.
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
