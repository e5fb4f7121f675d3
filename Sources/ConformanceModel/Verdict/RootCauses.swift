/// The broken rules on which others rest: what is red because of them alone is not held against a subject a second time.
///
/// Every verdict about such a rule is noted before any other is weighed. Source: `spec/kit/fixture-format.md`,
/// Requirements, `restsOn`.
package struct RootCauses: Sendable {
  /// For each rule all that it rests on, directly or not.
  private let grounds: [RequirementID: Set<RequirementID>]
  private var broken: [Dialect: Set<RequirementID>] = [:]
  private let settlement: Settlement

  package init(_ requirements: [Requirement], _ settlement: Settlement) {
    let direct = Dictionary(requirements.map { ($0.id, $0.restsOn) }) { first, _ in first }
    grounds = direct.compactMapValues { $0.isEmpty ? nil : Self.all(below: $0, direct) }
    self.settlement = settlement
  }

  /// These rules, and all that they rest on.
  package static func all(
    below ids: [RequirementID], _ direct: [RequirementID: [RequirementID]]
  ) -> Set<RequirementID> {
    var all: Set<RequirementID> = []
    var next = ids
    while let id = next.popLast() {
      if all.insert(id).inserted { next += direct[id] ?? [] }
    }
    return all
  }

  /// The rules on which others rest.
  package var rules: Set<RequirementID> { grounds.values.reduce(into: []) { $0.formUnion($1) } }

  /// Whether the rule was noted as broken, in whichever dialect.
  package func isBroken(_ rule: RequirementID) -> Bool { broken.values.contains { $0.contains(rule) } }

  /// Takes note of a rule on which others rest, if that is what the verdict is about, and it fails the run or would if
  /// the baseline did not know it: what a verdict says must not depend on the baseline.
  package mutating func note(_ settled: SettledVerdict) {
    guard case .violates = settled.verdict.outcome, !settled.isLack, settlement.demands(settled.requirement) else {
      return
    }
    broken[settled.verdict.instance.dialect, default: []].insert(settled.requirement.id)
  }

  /// Whether the verdict may turn out to have a cause that is not known yet.
  package func mayExcuse(_ settled: SettledVerdict) -> Bool {
    guard case .violates = settled.verdict.outcome, !settled.isLack else { return false }
    return grounds[settled.requirement.id] != nil
  }

  /// The verdict as it is; one that finds fault with what rests on a broken rule says so instead.
  package func weigh(_ settled: SettledVerdict) -> SettledVerdict {
    guard case .violates(let findings) = settled.verdict.outcome, !settled.isLack, let cause = cause(of: settled) else {
      return settled
    }
    var verdict = settled.verdict
    let shown = findings.first.map { ": \($0)" } ?? ""
    verdict.cause = cause
    verdict.outcome = .unjudged(
      reason: "\(cause), on which this rests, is violated; that comes first. Seen here\(shown)")
    return settlement.settle(verdict, on: settled.requirement)
  }

  /// The first of the broken rules that the rule rests on and that rests on no broken one itself.
  private func cause(of settled: SettledVerdict) -> RequirementID? {
    guard let broken = broken[settled.verdict.instance.dialect] else { return nil }
    let causes = grounds[settled.requirement.id]?.intersection(broken) ?? []
    return causes.filter { grounds[$0]?.isDisjoint(with: causes) ?? true }.min() ?? causes.min()
  }
}

extension SettledVerdict {
  /// Whether the subject lacks what the rule is about: that says nothing of other rules, and they say nothing of it.
  fileprivate var isLack: Bool {
    guard case .violates(let findings) = verdict.outcome else { return false }
    return findings.contains(where: \.isMissingCapability)
  }
}
