import ConformanceModel
import ConformanceVerdict

extension RunRecord {
  /// The failures, grouped by cause. The most important cause comes first. Failures because of missing capabilities are
  /// left out.
  package var failureGroups: [FailureGroup] { FailureGroup.groups(of: distinctRulings) }
}

extension FailureGroup {
  /// Groups these verdicts as a report groups them into cards. Returns the ruling that each card shows as its example,
  /// in the order of the cards.
  package static func examples(of settled: [SettledVerdict], in catalogue: Catalogue) -> [RunRecord.Ruling] {
    let consequences = catalogue.consequences
    let rulings = settled.map { one in
      RunRecord.Ruling(
        verdict: one.verdict, disposition: one.disposition, rule: .init(one.requirement, in: catalogue.definition),
        rerun: "", leadsTo: consequences[one.requirement.id, default: []],
        documentPlace: catalogue.documentOrder[one.requirement.id])
    }
    return groups(of: rulings).map { $0.lead.rulings[0] }
  }

  /// The violations that do not fail the run, grouped by cause. Unless `all` is true, only violations of a MUST that is
  /// a position of the kit. These come first and never share a card with other violations. Violations of requirements
  /// that the reference violates, too, come last. The origin of such a group may be a group in `failures`.
  package static func advisoryGroups(
    of rulings: [RunRecord.Ruling], after failures: [FailureGroup] = [], all: Bool
  ) -> [FailureGroup] {
    let chosen = rulings.filter { $0.disposition == .advisory && !$0.findings.isEmpty }
    let remarkable = Set(chosen.filter { !$0.isOrdinary }.map(\.requirement))
    let ranks = Dictionary(grouping: chosen) { ruling in
      ruling.rule.isRequiredByPosition ? 0 : remarkable.contains(ruling.requirement) ? 1 : 2
    }
    return (all ? [0, 1, 2] : [0]).flatMap { groups(of: ranks[$0] ?? [], silenced: [], conforming: [:]) }
      .naming(originsIn: failures)
  }

  package static func groups(of rulings: [RunRecord.Ruling]) -> [FailureGroup] {
    groups(
      of: rulings.filter { $0.disposition == .fail && $0.missingCapability == nil },
      silenced: rulings.filter { $0.disposition == .error },
      conforming: rulings.reduce(into: [:]) { counts, ruling in
        if ruling.disposition == .pass { counts[ruling.requirement, default: 0] += 1 }
      })
  }
}

extension RunRecord.Rule {
  /// Whether the requirement is a MUST and a position of the kit.
  fileprivate var isRequiredByPosition: Bool { level.isRequired && basis == .position }
}
