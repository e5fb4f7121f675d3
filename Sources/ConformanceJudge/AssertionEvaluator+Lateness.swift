import ConformanceModel

extension AssertionEvaluator {
  /// What a finding says of a selector that picked nothing.
  static let nothingSeen = "none"

  /// The finding, marked if a machine that was too slow may explain it: what is missing, came too seldom or too late.
  /// A wrong value, status or member, and what must not come at all, are wrong on any machine.
  func marked(_ finding: Finding, of assertion: Claim.Assertion) -> Finding {
    var finding = finding
    finding.mayBeLateness = finding.mayBeLateness || mayBeLateness(finding, of: assertion)
    return finding
  }

  private func mayBeLateness(_ finding: Finding, of assertion: Claim.Assertion) -> Bool {
    if finding.observed.hasPrefix(Self.nothingSeen) { return true }
    switch assertion {
    case .gap, .gaps, .order, .latest, .series, .atOnce: return true
    // The last one that came need not be the last one that was due.
    case .matches(_, .last, _): return true
    case .count: return excess(of: assertion).isEmpty
    case .calledBack(let selector, let times, _):
      let count = Claim.Assertion.count(selector, is: times)
      return excess(of: count).isEmpty && ((try? findings(of: count))?.isEmpty == false)
    case .anyOf(let assertions):
      return assertions.contains { one in (try? findings(of: one))?.contains(where: \.mayBeLateness) ?? true }
    case .returns(let outcomes):
      return outcomes.contains { one in
        guard let outcome = evidence.outcomes[one.label], finding.entries == outcome.entries else { return false }
        return outcome.isUnanswered || outcome.view == CommandOutcome.noReply.view
      }
    // Nobody knows what a check looks at; one that found something names what it saw.
    case .check, .equal: return finding.entries.isEmpty
    case .never, .matches, .golden, .survives: return false
    }
  }
}
