import ConformanceModel
import ConformanceVerdict

/// One reason why a record is not conformant, with all rulings that it explains. The cards of a report show such
/// causes.
package struct FailureCause {
  /// The requirement that a developer should look at first.
  package var lead: RequirementID
  /// The violations with this cause, and the verdicts that are unjudged because of the cause.
  package var rulings: [RunRecord.Ruling]
}

extension FailureCause {
  /// The causes of all failed or unjudged rulings. Each of these rulings belongs to one cause.
  package static func all(of rulings: [RunRecord.Ruling]) -> [FailureCause] {
    let lacking = rulings.filter { $0.disposition == .fail && $0.missingCapability != nil }
    let capabilities = Dictionary(grouping: lacking) { $0.missingCapability ?? "" }.sorted { $0.key < $1.key }
    let groups = FailureGroup.groups(of: rulings)
    let told = Set(groups.flatMap(\.silenced).flatMap(\.rulings).map(JudgedPlace.init))
    let open = rulings.filter { $0.disposition == .error && !told.contains(JudgedPlace($0)) }
    let obstacles = Dictionary(grouping: open, by: \.obstacle).sorted { $0.key < $1.key }
    return (capabilities + obstacles).map {
      FailureCause(lead: $0.value.map(\.requirement).min() ?? "", rulings: $0.value)
    }
      + groups.map { FailureCause(lead: $0.lead.requirement, rulings: $0.rulings) }
  }

  /// The fewest causes that explain all failures of a record. If a run of a case fails because of a cause, the method
  /// assumes that the cause also explains all other failures of this run.
  package static func fewest(of rulings: [RunRecord.Ruling]) -> [FailureCause] {
    let causes = all(of: rulings)
    let byInstance = Dictionary(grouping: causes.flatMap(\.rulings), by: \.instance)
    var reach = causes.map { cause -> Set<JudgedPlace> in
      let broken = Set(cause.rulings.filter { $0.disposition == .fail }.map(\.instance))
      return Set(cause.rulings.map(JudgedPlace.init) + broken.flatMap { byInstance[$0] ?? [] }.map(JudgedPlace.init))
    }
    let places = Dictionary(causes.flatMap(\.rulings).map { (JudgedPlace($0), $0) }) { first, _ in first }
    var chosen: [FailureCause] = []
    while let best = reach.indices.max(by: { (reach[$0].count, $1) < (reach[$1].count, $0) }), !reach[best].isEmpty {
      let taken = reach[best]
      chosen.append(FailureCause(lead: causes[best].lead, rulings: taken.sorted().compactMap { places[$0] }))
      for index in reach.indices { reach[index].subtract(taken) }
    }
    return chosen
  }
}

extension FailureGroup {
  /// All rulings of the group, beginning with the rulings about the main requirement.
  fileprivate var rulings: [RunRecord.Ruling] { ([lead] + followers + silenced).flatMap(\.rulings) }
}

extension RunRecord.Ruling {
  /// The required capability that the subject lacks, if the ruling is about a missing capability; nil for any other
  /// ruling.
  package var missingCapability: String? {
    guard case .violates(let findings) = verdict.outcome, let first = findings.first, first.isMissingCapability
    else { return nil }
    return first.subject
  }

  /// The reason why the ruling is unjudged, without the details that differ from case to case.
  package var obstacle: String {
    verdict.cause.map { "\($0) blocks the judgement" } ?? FailureMark.withoutParticulars(verdict.outcome.reason ?? "")
  }
}
