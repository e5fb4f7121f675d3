import JSONKit

/// What is known to be violated and may be for now: debts with terms, one an entry.
package struct Baseline: Hashable, Sendable {
  /// The version of the form of its file.
  package static let formVersion = 3

  /// One mistake of a subject: what it breaks, how that is found, and for how long it is put up with.
  package struct Entry: Hashable, Sendable {
    /// The requirement to look at first.
    package var cause: RequirementID
    /// The cases in which each requirement is broken or cannot be judged.
    package var covers: [RequirementID: [CasePattern]]
    /// Empty for all.
    package var dialects: [Dialect]
    package var expects: [Expectation]
    /// Why it is put up with; empty until somebody says so.
    package var reason: String
    /// Whether it may fail or pass.
    package var isFlaky: Bool
    /// Where the debt is followed.
    package var link: String?
    /// The last day on which it excuses anything, `2027-01-31`; nil for no term.
    package var expires: String?
    package var condition: Condition?
    /// Where the entry stands in its file.
    package var line: Int

    package init(
      cause: RequirementID, covers: [RequirementID: [CasePattern]], dialects: [Dialect] = [], expects: [Expectation],
      reason: String = "", isFlaky: Bool = false, link: String? = nil, expires: String? = nil,
      condition: Condition? = nil, line: Int = 0
    ) {
      self.cause = cause
      self.covers = covers
      self.dialects = dialects
      self.expects = expects
      self.reason = reason
      self.isFlaky = isFlaky
      self.link = link
      self.expires = expires
      self.condition = condition
      self.line = line
    }
  }

  /// What an entry expects to be found. In all texts `*` stands for any text.
  package enum Expectation: Hashable, Sendable {
    /// A finding in its normal form; without `observed`, whatever is observed.
    case finding(subject: String, path: JSONPath, expected: String, observed: String?)
    /// That the rule cannot be judged, since something else is broken; the reason in its normal form.
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
  /// `LF-OFF-006 in offline.capacity[101]`, with how many more rules and cases it covers.
  package var title: String {
    let others = covers.keys.filter { $0 != cause }.count
    let cases = covers[cause] ?? []
    var title = "\(cause)"
    if let first = cases.first { title += " in \(first)" + (cases.count > 1 ? " and \(cases.count - 1) more" : "") }
    if others > 0 { title += ", with \(others) other rule\(others == 1 ? "" : "s")" }
    return title + dialects.map { " @\($0)" }.joined()
  }

  /// The reason and where to read on.
  package var explanation: String { reason + (link.map { " (\($0))" } ?? "") }

  /// Whether it speaks of this rule in this run of a case.
  package func covers(_ requirement: RequirementID, in instance: CaseInstance) -> Bool {
    guard let patterns = covers[requirement], dialects.isEmpty || dialects.contains(instance.dialect) else {
      return false
    }
    return patterns.contains { $0.fits(instance) }
  }

  /// Whether its term is over on a day such as `2026-11-21`.
  package func isExpired(on day: String) -> Bool { expires.map { $0 < day } ?? false }

  /// Whether what was found is nothing but what it expects. What holds is what no entry expects any more: that is for
  /// the disposition to say, unless it may hold.
  package func expects(_ verdict: Verdict) -> Bool {
    switch verdict.outcome {
    case .conforms: !isFlaky
    case .violates(let findings): expects(findings)
    // The violation that blocks the judgement is reported by itself.
    case .unjudged: verdict.cause != nil || verdict.reasonWording.map(expects(unjudged:)) ?? false
    case .notApplicable: false
    }
  }

  /// Whether each of the findings is one that it expects.
  func expects(_ findings: [Finding]) -> Bool {
    findings.allSatisfy { finding in expects.contains { $0.fits(finding) } }
  }

  private func expects(unjudged reason: String) -> Bool { expects.contains { $0.fits(unjudged: reason) } }
}

extension Baseline.Expectation {
  package func fits(_ finding: Finding) -> Bool {
    guard case .finding(let subject, let path, let expected, let observed) = self, path == finding.path else {
      return false
    }
    let wording = finding.wording
    return Wildcard(subject).matches(wording.subject) && Wildcard(expected).matches(wording.expected)
      && observed.map { Wildcard($0).matches(wording.observed) } ?? true
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
