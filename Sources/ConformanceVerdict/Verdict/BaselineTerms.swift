import ConformanceModel
import ConformanceTranscript

/// The entries of a baseline that apply to a run: they have not expired on the day of the run, and they match the
/// subjects of the run.
package struct BaselineTerms: Hashable, Sendable {
  /// The indices of the entries that cover one requirement.
  private struct Scope: Hashable {
    /// The indices of entries whose patterns have no `*`, by the name in the pattern.
    var byName: [String: [Int]] = [:]
    var wide: [Int] = []
    var all: [Int] = []
  }

  private let entries: [Baseline.Entry]
  private let scopes: [RequirementID: Scope]

  /// No entries, for a run without a baseline.
  package init() { (entries, scopes) = ([], [:]) }

  /// - Parameter day: the day of the run, such as `2026-11-21`.
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

  /// The entry that covers a requirement in a run of a case. The entry may expect any result.
  package func entry(covering requirement: RequirementID, in instance: CaseInstance) -> Baseline.Entry? {
    guard let scope = scopes[requirement] else { return nil }
    let named = (scope.byName[instance.name] ?? []) + (scope.byName[instance.id.rawValue] ?? [])
    return (named + scope.wide).lazy.map { entries[$0] }.first { $0.covers(requirement, in: instance) }
  }

  /// The entry that expects a verdict; for a verdict that conforms, the entry whose violation is gone. nil if every
  /// entry expects a different result.
  ///
  /// An entry may cover a requirement in a case only because the entry's cause left that requirement unjudged. After
  /// the cause is fixed, the case may show a violation of the requirement. If another entry expects this violation, the
  /// other entry then excuses it. No other entry excuses a violation of the covering entry's own cause.
  ///
  /// - Parameter ending: the way in which the run of the case ended; nil if it is unknown.
  package func entry(
    expecting verdict: Verdict, after ending: TranscriptEntry.Ending.Kind? = nil
  ) -> Baseline.Entry? {
    guard let entry = entry(covering: verdict.requirement, in: verdict.instance) else { return nil }
    if entry.expects(verdict, after: ending) { return entry }
    let findings = verdict.outcome.findings
    guard entry.cause != verdict.requirement, !findings.isEmpty, let scope = scopes[verdict.requirement]
    else { return nil }
    return scope.all.lazy.map { entries[$0] }.first { $0.expects(findings) }
  }

  /// A note if a violation differs from the violation that the covering entry expects; otherwise nil.
  package func disagreement(with settled: SettledVerdict) -> String? {
    let verdict = settled.verdict
    guard settled.disposition == .fail, let entry = entry(covering: verdict.requirement, in: verdict.instance),
      let finding = verdict.outcome.findings.first(where: { found in !entry.expects.contains { $0.fits(found) } })
    else { return nil }
    return "\(Baseline.notePrefix)\(entry.line): the entry for \(entry.title) expects something else than was found in "
      + "\(verdict.instance): \(finding); it excuses nothing there"
  }
}
