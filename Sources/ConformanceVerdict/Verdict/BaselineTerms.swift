import ConformanceModel
import ConformanceTranscript

/// The entries of a baseline that apply to a run: they have not expired on the day of the run, and they match the
/// subjects of the run.
package struct BaselineTerms: Hashable, Sendable {
  /// The indices of the entries that cover one requirement.
  private struct Scope: Hashable {
    /// Maps the name in each pattern without a `*` to the indices of the entries that contain the pattern.
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

  /// The entry that covers a requirement in a run of a case, even if the entry expects a different result.
  package func entry(covering requirement: RequirementID, in instance: CaseInstance) -> Baseline.Entry? {
    guard let scope = scopes[requirement] else { return nil }
    let named = (scope.byName[instance.name] ?? []) + (scope.byName[instance.id.rawValue] ?? [])
    return (named + scope.wide).lazy.map { entries[$0] }.first { $0.covers(requirement, in: instance) }
  }

  /// The entry that expects a verdict. If the subject conforms, this is the entry whose violation no longer occurs. Nil
  /// if every entry expects a different result.
  ///
  /// An entry often covers requirements besides its cause, because the violation of the cause leaves them unjudged in a
  /// case. When the cause is fixed, the case may show a violation of such a requirement. Then a second entry that
  /// expects this violation excuses it. But if the first entry's cause itself is violated in an unexpected way, no
  /// second entry excuses this.
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

  /// A note if an entry covers a violation but expects a different violation; otherwise nil.
  package func disagreement(with settled: SettledVerdict) -> String? {
    let verdict = settled.verdict
    guard settled.disposition == .fail, let entry = entry(covering: verdict.requirement, in: verdict.instance),
      let finding = verdict.outcome.findings.first(where: { found in !entry.expects.contains { $0.fits(found) } })
    else { return nil }
    return "\(Baseline.notePrefix)\(entry.line): the entry for \(entry.title) expects something else than was found in "
      + "\(verdict.instance): \(finding); it excuses nothing there"
  }
}
