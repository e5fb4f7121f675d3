/// The entries of a baseline that are in force in a run: on its day, for its subjects.
package struct BaselineTerms: Hashable, Sendable {
  private let entries: [RequirementID: [Baseline.Entry]]

  /// No baseline.
  package init() { entries = [:] }

  /// `day` is such as `2026-11-21`.
  package init(_ baseline: Baseline, on day: String, for subjects: some Sequence<Subject>) {
    let inForce = baseline.entries.filter { entry in
      !entry.isExpired(on: day) && entry.condition?.holds(for: subjects) ?? true
    }
    entries = Dictionary(grouping: inForce, by: \.requirement)
  }

  /// The entry that speaks of a rule in a run of a case, whatever it expects.
  package func entry(covering requirement: RequirementID, in instance: CaseInstance) -> Baseline.Entry? {
    entries[requirement]?.first { $0.covers(requirement, in: instance) }
  }

  /// The entry that says of a verdict what it is, or what it no longer is; nil where there is none, and where the entry
  /// expects something else.
  package func entry(expecting verdict: Verdict) -> Baseline.Entry? {
    entry(covering: verdict.requirement, in: verdict.instance).flatMap { $0.expects(verdict.outcome) ? $0 : nil }
  }
}
