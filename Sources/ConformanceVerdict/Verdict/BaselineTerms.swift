import ConformanceModel
import ConformanceTranscript

/// The entries of a baseline that apply to a run: they have not expired on its day, and they match its subjects.
package struct BaselineTerms: Hashable, Sendable {
  /// The entries that cover one requirement, by their index.
  private struct Scope: Hashable {
    /// Entries by the names of their patterns without `*`.
    var byName: [String: [Int]] = [:]
    var wide: [Int] = []
    var all: [Int] = []
  }

  private let entries: [Baseline.Entry]
  private let scopes: [RequirementID: Scope]

  /// Terms without any entry.
  package init() { (entries, scopes) = ([], [:]) }

  /// `day` has the form `2026-11-21`.
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

  /// The entry that covers a requirement in a run of a case, whatever result it expects.
  package func entry(covering requirement: RequirementID, in instance: CaseInstance) -> Baseline.Entry? {
    guard let scope = scopes[requirement] else { return nil }
    let named = (scope.byName[instance.name] ?? []) + (scope.byName[instance.id.rawValue] ?? [])
    return (named + scope.wide).lazy.map { entries[$0] }.first { $0.covers(requirement, in: instance) }
  }

  /// The entry that expects a verdict, or that expects a violation which is gone; nil if every entry expects another
  /// result.
  ///
  /// A place can be covered because another cause left it unjudged. Once that cause is fixed, the place can show a
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

  /// The note about a requirement that is violated in another way than its entry expects; nil if no entry covers it.
  package func disagreement(with settled: SettledVerdict) -> String? {
    let verdict = settled.verdict
    guard settled.disposition == .fail, let entry = entry(covering: verdict.requirement, in: verdict.instance),
      let finding = verdict.outcome.findings.first(where: { found in !entry.expects.contains { $0.fits(found) } })
    else { return nil }
    return "\(Baseline.notePrefix)\(entry.line): the entry for \(entry.title) expects something else than was found in "
      + "\(verdict.instance): \(finding); it excuses nothing there"
  }
}
