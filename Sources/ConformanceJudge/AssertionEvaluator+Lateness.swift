import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

extension AssertionEvaluator {
  /// The word for "no observation" in the texts of findings.
  static let nothingSeen = "none"

  /// Marks the finding if a slow machine may be its cause: for example, an observation is missing, too rare or too
  /// late. A wrong value, a wrong status, a wrong member or a forbidden event is a violation on any machine, and is not
  /// marked.
  func marked(_ finding: Finding, of assertion: Claim.Assertion) -> Finding {
    var finding = finding
    finding.mayBeLateness = finding.mayBeLateness || mayBeLateness(finding, of: assertion)
    return finding
  }

  private func mayBeLateness(_ finding: Finding, of assertion: Claim.Assertion) -> Bool {
    if finding.observed.hasPrefix(Self.nothingSeen) { return true }
    switch assertion {
    case .gap, .gaps, .order, .latest, .series, .atOnce: return true
    // The last observation need not be the last observation that was due.
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
    // The observations that a check uses are unknown. Only a finding of the check names entries.
    case .check, .equal: return finding.entries.isEmpty
    case .never, .matches, .golden, .survives: return false
    }
  }
}
