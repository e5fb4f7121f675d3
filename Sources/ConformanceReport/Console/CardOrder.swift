import ConformanceModel
import ConformanceVerdict
import Records

/// The subjects and the order of the cards and notes of a report: the same for each form of a report.
package struct CardOrder {
  /// The failures by their causes. The cause to look at first comes first.
  package let groups: [FailureGroup]
  /// The violations that do not fail the run but have a card.
  package let advisory: [FailureGroup]

  private let rulings: [RunRecord.Ruling]

  package init(rulings: [RunRecord.Ruling], groups: [FailureGroup], showsAllAdvisory: Bool) {
    self.rulings = rulings
    self.groups = groups
    advisory = FailureGroup.advisoryGroups(of: rulings, all: showsAllAdvisory)
  }

  /// Verdicts by missing capability, since all of them fail for one reason.
  package var capabilities: [(subject: String, rulings: [RunRecord.Ruling])] {
    let lacking = rulings.filter { $0.missingCapability != nil }
    return Dictionary(grouping: lacking) { $0.missingCapability ?? "" }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Entries of the baseline whose violation is gone, by requirement.
  package var stale: [[RunRecord.Ruling]] { chosen(.stale) }

  /// Violations that the baseline excuses, by requirement.
  package var known: [[RunRecord.Ruling]] { chosen(.known) }

  /// Advisory violations without a card, by requirement.
  package var furtherAdvisory: [[RunRecord.Ruling]] {
    let told = Set(advisory.flatMap(\.requirements))
    return chosen(.advisory).filter { !told.contains($0[0].requirement) }
  }

  /// Unjudged verdicts that follow from no failure, by their reason, the most frequent first.
  package var unjudged: [[RunRecord.Ruling]] {
    let told = Set(groups.flatMap(\.silenced).flatMap(\.rulings).map(\.testName))
    let chosen = rulings.filter { $0.disposition == .error && !told.contains($0.testName) }
    return Dictionary(grouping: chosen, by: \.obstacle).values.sorted {
      ($1.count, $0[0].testName) < ($0.count, $1[0].testName)
    }
  }

  /// Skipped verdicts by reason, the most frequent first.
  package var skips: [(reason: String, rulings: [RunRecord.Ruling])] {
    Dictionary(grouping: rulings.filter { $0.disposition == .skipped }) { $0.headline ?? "" }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value) }
  }

  private func chosen(_ disposition: Disposition) -> [[RunRecord.Ruling]] {
    let chosen = rulings.filter { $0.disposition == disposition }
    return Dictionary(grouping: chosen, by: \.requirement).sorted { $0.key < $1.key }.map(\.value)
  }
}
