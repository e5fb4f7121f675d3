import ConformanceModel
import ConformanceTranscript
import JSONKit
import TextKit

/// The known violations of a subject. Each entry excuses one mistake, either without an end or until a day.
package struct Baseline: Hashable, Sendable {
  /// The version of the file format.
  package static let formVersion = 3

  /// The beginning of each note about an entry. The line number of the entry follows.
  package static let notePrefix = "baseline, line "

  /// One mistake of a subject: the requirements that it violates, the expected findings, and the last day on which the
  /// mistake is excused.
  package struct Entry: Hashable, Sendable {
    /// The requirement that the mistake violates most directly.
    package var cause: RequirementID
    /// Maps each requirement to the cases in which the mistake violates it or prevents its judgement.
    package var covers: [RequirementID: [CasePattern]]
    /// The dialects in which the entry applies; empty for all dialects.
    package var dialects: [Dialect]
    package var expects: [Expectation]
    /// The reason why the mistake is excused; empty until a person writes a reason.
    package var reason: String
    /// Whether the mistake occurs only in some runs, so that the subject conforms to the requirements in other runs.
    package var isFlaky: Bool
    /// The address of the issue that tracks the mistake.
    package var link: String?
    /// The last day on which the entry excuses a violation, such as `2027-01-31`; nil if it never expires.
    package var expires: String?
    package var condition: Condition?
    /// The line of the entry in its file.
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

  /// A result that an entry expects. In all texts, `*` matches any text.
  package enum Expectation: Hashable, Sendable {
    /// A finding. The texts are in their normal form, in which names replace values that differ between runs. If
    /// `observed` is nil, any observation matches.
    case finding(subject: String, path: JSONPath, expected: String, observed: String?)
    /// A reason why a requirement is unjudged, such as a state that was not reached. The reason is in its normal form.
    case unjudged(reason: String)
  }

  /// The version and the platform of the subjects to which an entry applies. In both texts, `*` matches any text; nil
  /// means any version or platform.
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
  /// The entry in a few words, such as `LF-OFF-006 in offline.capacity[101] and 2 more, with 1 other requirement`.
  package var title: String {
    let others = covers.keys.filter { $0 != cause }.count
    let cases = covers[cause] ?? []
    var title = "\(cause)"
    if let first = cases.first { title += " in \(first)" + (cases.count > 1 ? " and \(cases.count - 1) more" : "") }
    if others > 0 { title += ", with \(others) other requirement\(others == 1 ? "" : "s")" }
    return title + dialects.map { " @\($0)" }.joined()
  }

  /// The reason, followed by the link in parentheses if there is one.
  package var explanation: String { reason + (link.map { " (\($0))" } ?? "") }

  /// Whether the entry covers this requirement in this run of a case.
  package func covers(_ requirement: RequirementID, in instance: CaseInstance) -> Bool {
    guard let patterns = covers[requirement], dialects.isEmpty || dialects.contains(instance.dialect) else {
      return false
    }
    return patterns.contains { $0.fits(instance) }
  }

  /// Whether the last day of the entry is before `day`, which has the form `2026-11-21`.
  package func isExpired(on day: String) -> Bool { expires.map { $0 < day } ?? false }

  /// Whether the entry expects the verdict. It expects a violation if it lists all of its findings. If the subject
  /// conforms, an entry expects this too, and the verdict becomes `stale`. But a flaky entry does not expect it, so
  /// that the verdict passes.
  ///
  /// The entry expects an unjudged verdict if it lists the reason, or if a different violation prevented the judgement.
  /// It also expects an unjudged verdict if neither the adapter, the kit nor the machine ended the run of the case,
  /// since only the behaviour of the subject can then have prevented the judgement. So a new mistake elsewhere does not
  /// turn a known mistake into an error.
  ///
  /// - Parameter ending: the way in which the run of the case ended; nil if it is unknown.
  package func expects(_ verdict: Verdict, after ending: TranscriptEntry.Ending.Kind? = nil) -> Bool {
    switch verdict.outcome {
    case .conforms: !isFlaky
    case .violates(let findings): expects(findings)
    // The violation that blocks the judgement has a verdict of its own.
    case .unjudged:
      verdict.cause != nil || ending?.isOfTheCase ?? false || verdict.reasonWording.map(expects(unjudged:)) ?? false
    case .notApplicable: false
    }
  }

  /// Whether the entry expects each of the findings.
  func expects(_ findings: [Finding]) -> Bool {
    findings.allSatisfy { finding in expects.contains { $0.fits(finding) } }
  }

  private func expects(unjudged reason: String) -> Bool { expects.contains { $0.fits(unjudged: reason) } }
}

extension TranscriptEntry.Ending.Kind {
  /// Whether neither the adapter, the kit nor the machine ended the run of the case. Only the behaviour of the subject
  /// can then have prevented a judgement.
  fileprivate var isOfTheCase: Bool {
    switch self {
    case .completed, .preconditionFailed, .faultUnused: true
    case .adapterDied, .adapterHung, .adapterBroke, .unsupported, .timeLimit, .evidenceLimit, .interrupted, .machine,
      .kitError:
      false
    }
  }
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
  /// Whether at least one of the subjects has both the version and the platform of this condition.
  package func holds(for subjects: some Sequence<Subject>) -> Bool {
    subjects.contains { subject in
      (version.map { Wildcard($0).matches(subject.version) } ?? true)
        && (platform.map { Wildcard($0).matches(subject.platform ?? "") } ?? true)
    }
  }
}

extension Baseline.Entry {
  /// The note about an expired entry, with advice.
  package var expiry: String {
    "\(Baseline.notePrefix)\(line): the entry for \(title) expired on \(expires ?? "no day") and excuses nothing; "
      + "give it another term, or remove it"
  }
}
