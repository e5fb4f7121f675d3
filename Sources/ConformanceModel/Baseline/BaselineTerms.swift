/// The entries of a baseline that are in force in a run: on its day, for its subjects.
package struct BaselineTerms: Hashable, Sendable {
  /// What entries say of one rule, by their places.
  private struct Scope: Hashable {
    /// By the names that patterns without `*` have.
    var byName: [String: [Int]] = [:]
    var wide: [Int] = []
    var all: [Int] = []
  }

  private let entries: [Baseline.Entry]
  private let scopes: [RequirementID: Scope]

  /// No baseline.
  package init() { (entries, scopes) = ([], [:]) }

  /// `day` is such as `2026-11-21`.
  package init(_ baseline: Baseline, on day: String, for subjects: some Sequence<Subject>) {
    entries = baseline.entries.filter { entry in
      !entry.isExpired(on: day) && entry.condition?.holds(for: subjects) ?? true
    }
    var scopes: [RequirementID: Scope] = [:]
    for (place, entry) in entries.enumerated() {
      for (requirement, patterns) in entry.covers {
        scopes[requirement, default: Scope()].all.append(place)
        for pattern in patterns {
          if pattern.isWide {
            scopes[requirement, default: Scope()].wide.append(place)
          } else {
            scopes[requirement, default: Scope()].byName[pattern.name, default: []].append(place)
          }
        }
      }
    }
    self.scopes = scopes
  }

  /// The entry that speaks of a rule in a run of a case, whatever it expects.
  package func entry(covering requirement: RequirementID, in instance: CaseInstance) -> Baseline.Entry? {
    guard let scope = scopes[requirement] else { return nil }
    let named = (scope.byName[instance.name] ?? []) + (scope.byName[instance.id.rawValue] ?? [])
    return (named + scope.wide).lazy.map { entries[$0] }.first { $0.covers(requirement, in: instance) }
  }

  /// The entry that expects a verdict, or that expects what is gone; nil where each expects something else.
  ///
  /// A place can be covered because another cause left it unjudged. Once that cause is mended, the place can show a
  /// violation that another entry expects for the same requirement: that entry excuses it. A place that is covered for
  /// its own requirement has one expected violation, and no other entry excuses a second one there.
  package func entry(expecting verdict: Verdict) -> Baseline.Entry? {
    guard let entry = entry(covering: verdict.requirement, in: verdict.instance) else { return nil }
    if entry.expects(verdict) { return entry }
    let findings = verdict.outcome.findings
    guard entry.cause != verdict.requirement, !findings.isEmpty, let scope = scopes[verdict.requirement]
    else { return nil }
    return scope.all.lazy.map { entries[$0] }.first { $0.expects(findings) }
  }

  /// What to say where an entry speaks of a rule that is violated in another way than it expects; nil where none does.
  package func disagreement(with settled: SettledVerdict) -> String? {
    let verdict = settled.verdict
    guard settled.disposition == .fail, let entry = entry(covering: verdict.requirement, in: verdict.instance),
      let finding = verdict.outcome.findings.first(where: { found in !entry.expects.contains { $0.fits(found) } })
    else { return nil }
    return "baseline, line \(entry.line): the entry for \(entry.title) expects something else than was found in "
      + "\(verdict.instance): \(finding); it excuses nothing there"
  }
}
