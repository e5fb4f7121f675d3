import JSONKit

/// What is known to be violated and may be for now: debts with terms, one an entry.
package struct Baseline: Hashable, Sendable {
  /// A rule that cases are known to find broken, how they find it, and for how long that is put up with.
  package struct Entry: Hashable, Sendable {
    package var requirement: RequirementID
    /// The name of a case with its row: `offline.capacity[101]`; `*` stands for any text.
    package var cases: String
    /// Empty for all.
    package var dialects: [Dialect]
    package var expects: [Expectation]
    /// Why it is put up with; empty until somebody says so.
    package var reason: String
    /// Where the debt is followed.
    package var link: String?
    /// The last day on which it excuses anything, `2027-01-31`; nil for no term.
    package var expires: String?
    package var condition: Condition?
    /// Where the entry stands in its file.
    package var line: Int

    package init(
      requirement: RequirementID, cases: String, dialects: [Dialect] = [], expects: [Expectation], reason: String = "",
      link: String? = nil, expires: String? = nil, condition: Condition? = nil, line: Int = 0
    ) {
      self.requirement = requirement
      self.cases = cases
      self.dialects = dialects
      self.expects = expects
      self.reason = reason
      self.link = link
      self.expires = expires
      self.condition = condition
      self.line = line
    }
  }

  /// What an entry expects to be found. In all texts `*` stands for any text.
  package enum Expectation: Hashable, Sendable {
    /// A finding; without `observed`, whatever is observed.
    case finding(subject: String, path: JSONPath, expected: String, observed: String?)
    /// That the rule cannot be judged, since something else is broken.
    case unjudged(reason: String)
  }

  /// For which subjects an entry holds. In both texts `*` stands for any text.
  package struct Condition: Hashable, Sendable {
    package var version: String?
    package var platform: String?

    package init(version: String? = nil, platform: String? = nil) {
      self.version = version
      self.platform = platform
    }
  }

  package var protocolName: String
  package var entries: [Entry]

  package init(protocolName: String, entries: [Entry] = []) {
    self.protocolName = protocolName
    self.entries = entries
  }
}

extension Baseline.Entry {
  /// `LF-OFF-006 in offline.capacity[101]`.
  package var title: String { "\(requirement) in \(cases)" + dialects.map { " @\($0)" }.joined() }

  /// The reason and where to read on.
  package var explanation: String { reason + (link.map { " (\($0))" } ?? "") }

  /// Whether it speaks of this rule in this run of a case.
  package func covers(_ requirement: RequirementID, in instance: CaseInstance) -> Bool {
    self.requirement == requirement && (dialects.isEmpty || dialects.contains(instance.dialect))
      && covers(caseNamed: instance.name, instance.id.rawValue)
  }

  /// Whether its pattern fits a run of a case, by the name with the row or by that of the case.
  package func covers(caseNamed names: String...) -> Bool { names.contains { Wildcard(cases).matches($0) } }

  /// Whether its term is over on a day such as `2026-11-21`.
  package func isExpired(on day: String) -> Bool { expires.map { $0 < day } ?? false }

  /// Whether what was found is nothing but what it expects. What holds is what no entry expects any more: that is for
  /// the disposition to say.
  package func expects(_ outcome: Verdict.Outcome) -> Bool {
    switch outcome {
    case .conforms: true
    case .violates(let findings): findings.allSatisfy { finding in expects.contains { $0.fits(finding) } }
    case .unjudged(let reason): expects.contains { $0.fits(unjudged: reason) }
    case .notApplicable: false
    }
  }
}

extension Baseline.Expectation {
  func fits(_ finding: Finding) -> Bool {
    guard case .finding(let subject, let path, let expected, let observed) = self else { return false }
    return path == finding.path && Wildcard(subject).matches(finding.subject)
      && Wildcard(expected).matches(finding.expected) && observed.map { Wildcard($0).matches(finding.observed) } ?? true
  }

  func fits(unjudged reason: String) -> Bool {
    guard case .unjudged(let text) = self else { return false }
    return Wildcard(text).matches(reason)
  }
}

extension Baseline.Condition {
  /// Whether it holds where these take part.
  package func holds(for subjects: some Sequence<Subject>) -> Bool {
    subjects.contains { subject in
      (version.map { Wildcard($0).matches(subject.version) } ?? true)
        && (platform.map { Wildcard($0).matches(subject.platform ?? "") } ?? true)
    }
  }
}

extension Baseline.Entry {
  /// That its term is over, and what to do.
  package var expiry: String {
    "baseline, line \(line): the entry for \(title) expired on \(expires ?? "no day") and excuses nothing; "
      + "give it another term, or remove it"
  }
}

extension BaselineTerms {
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
