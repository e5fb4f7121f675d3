import ConformanceModel
import ConformanceVerdict
import Records

/// The groups of verdicts that have a card or a note in a report, in the order of the report. All forms of a report
/// have this order.
package struct CardOrder {
  /// The failures, grouped by cause. The cause that a person should look at first comes first.
  package let groups: [FailureGroup]
  /// The groups of violations that do not fail the run but still have a card.
  package let advisory: [FailureGroup]

  private let rulings: [RunRecord.Ruling]

  package init(rulings: [RunRecord.Ruling], groups: [FailureGroup], showsAllAdvisory: Bool) {
    self.rulings = rulings
    self.groups = groups
    advisory = FailureGroup.advisoryGroups(of: rulings, after: groups, all: showsAllAdvisory)
  }

  /// The verdicts on requirements that the subject violates because it lacks a capability, grouped by capability.
  package var capabilities: [(subject: String, rulings: [RunRecord.Ruling])] {
    let lacking = rulings.filter { $0.missingCapability != nil }
    return Dictionary(grouping: lacking) { $0.missingCapability ?? "" }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// The verdicts about violations that the baseline lists but that no longer occur, grouped by requirement.
  package var stale: [[RunRecord.Ruling]] { chosen(.stale) }

  /// The violations that the baseline lists, grouped by requirement.
  package var known: [[RunRecord.Ruling]] { chosen(.known) }

  /// The advisory violations without a card, grouped by requirement. Requirements that the conforming reference
  /// violates in the same way come last.
  package var furtherAdvisory: [[RunRecord.Ruling]] {
    let told = Set(advisory.flatMap(\.requirements))
    let further = chosen(.advisory).filter { !told.contains($0[0].requirement) }
    return further.filter { $0.ordinaryNote == nil } + further.filter { $0.ordinaryNote != nil }
  }

  /// The unjudged verdicts that are not a consequence of a failure, grouped by reason. The most frequent reason comes
  /// first.
  package var unjudged: [[RunRecord.Ruling]] {
    let told = Set(groups.flatMap(\.silenced).flatMap(\.rulings).map(\.testName))
    let chosen = rulings.filter { $0.disposition == .error && !told.contains($0.testName) }
    return Dictionary(grouping: chosen, by: \.obstacle).values.sorted {
      ($1.count, $0[0].testName) < ($0.count, $1[0].testName)
    }
  }

  /// The skipped verdicts, grouped by reason. The most frequent reason comes first.
  package var skips: [(reason: String, rulings: [RunRecord.Ruling])] {
    Dictionary(grouping: rulings.filter { $0.disposition == .skipped }) { $0.headline ?? "" }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value) }
  }

  /// The main requirement of the first failure from which an advisory violation may follow according to the catalogue;
  /// nil if it follows from none of the failures.
  func origin(of violation: RunRecord.Ruling) -> RequirementID? {
    groups.first { $0.lead.rulings[0].leadsTo.contains(violation.requirement) }?.lead.requirement
  }

  private func chosen(_ disposition: Disposition) -> [[RunRecord.Ruling]] {
    let chosen = rulings.filter { $0.disposition == disposition }
    return Dictionary(grouping: chosen, by: \.requirement).sorted { $0.key < $1.key }.map(\.value)
  }
}
