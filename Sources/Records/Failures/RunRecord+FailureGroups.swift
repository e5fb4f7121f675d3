import ConformanceModel
import ConformanceVerdict

extension RunRecord {
  /// The failures by their causes, without missing capabilities. The most important cause comes first.
  package var failureGroups: [FailureGroup] { FailureGroup.groups(of: distinctRulings) }
}

extension FailureGroup {
  /// Groups these verdicts as the cards of a report do. Returns the verdict that each card shows as its example, in the
  /// order of the cards.
  package static func examples(of settled: [SettledVerdict], in catalogue: Catalogue) -> [RunRecord.Ruling] {
    let consequences = catalogue.consequences
    let rulings = settled.map { one in
      RunRecord.Ruling(
        verdict: one.verdict, disposition: one.disposition, rule: .init(one.requirement, in: catalogue.definition),
        rerun: "", leadsTo: consequences[one.requirement.id, default: []])
    }
    return groups(of: rulings).map { $0.lead.rulings[0] }
  }

  /// The violations that do not fail the run, by their causes: all of them, or only violations of a MUST that is the
  /// kit's position.
  package static func advisoryGroups(of rulings: [RunRecord.Ruling], all: Bool) -> [FailureGroup] {
    let chosen = rulings.filter { ruling in
      ruling.disposition == .advisory && !ruling.findings.isEmpty
        && (all || ruling.rule.level.isRequired && ruling.rule.basis == .position)
    }
    return groups(of: chosen, silenced: [], conforming: [:])
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
