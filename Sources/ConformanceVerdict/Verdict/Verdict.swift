import ConformanceModel
import JSONKit
import Templates

/// The judgement about one requirement after one run of a case.
package struct Verdict: Hashable, Sendable {
  /// The outcomes. Only `conforms` is shown in green.
  package enum Outcome: Hashable, Sendable {
    case conforms
    /// The subject violates the requirement. There is at least one finding.
    case violates([Finding])
    /// The kit could not decide.
    case unjudged(reason: String)
    case notApplicable(reason: String)

    /// The beginning of the reason if no server can read a request because of its form.
    package static let unreadable = "no server could read a request"
  }

  package var instance: CaseInstance
  package var requirement: RequirementID
  package var outcome: Outcome
  /// The clock of the run of the case.
  package var clock: ClockMode
  /// If a violated requirement prevented the judgement, this requirement. Otherwise nil.
  package var cause: RequirementID?
  /// If the requirement binds only subjects that have a capability, and the subject lacks it, this capability.
  /// Otherwise nil.
  package var unmetCondition: String?
  /// The reason, with names in place of values that differ between runs; nil if it contains no such value.
  package var normalReason: String?

  package init(
    instance: CaseInstance, requirement: RequirementID, outcome: Outcome, clock: ClockMode,
    cause: RequirementID? = nil, unmetCondition: String? = nil
  ) {
    self.instance = instance
    self.requirement = requirement
    self.outcome = outcome
    self.clock = clock
    self.cause = cause
    self.unmetCondition = unmetCondition
  }
}

extension Verdict {
  /// Explains in normal form why the verdict is not judged. nil for a judged verdict.
  package var reasonWording: String? { normalReason ?? outcome.reason }
}

/// One difference between the expectation of a claim and the observation.
package struct Finding: Hashable, Sendable {
  /// The thing that is compared, such as `event requests` or `initialize 'first'`.
  package var subject: String
  /// The path inside the subject, such as `$.body.timestamp`; the root for the subject as a whole.
  package var path: JSONPath
  package var expected: String
  package var observed: String
  /// The numbers of the transcript entries that show the difference.
  package var entries: [Int]
  /// The texts with names in place of values that differ between runs; nil if they contain no such value.
  package var normal: Wording?
  /// Whether a slow machine may be the cause, because something is missing or late. Records and comparisons ignore
  /// this.
  package var mayBeLateness = false

  package init(subject: String, path: JSONPath = .root, expected: String, observed: String, entries: [Int] = []) {
    self.subject = subject
    self.path = path
    self.expected = expected
    self.observed = observed
    self.entries = entries
  }
}

extension Finding {
  /// The texts of a finding.
  package struct Wording: Hashable, Sendable {
    package var subject: String
    package var expected: String
    package var observed: String

    package init(subject: String, expected: String, observed: String) {
      self.subject = subject
      self.expected = expected
      self.observed = observed
    }
  }

  /// The texts with the values of this run.
  package var shown: Wording { Wording(subject: subject, expected: expected, observed: observed) }

  /// The texts that are the same in every run of the case: names replace ports, ids and instants.
  package var wording: Wording { normal ?? shown }

  package static func == (left: Finding, right: Finding) -> Bool {
    left.subject == right.subject && left.path == right.path && left.expected == right.expected
      && left.observed == right.observed && left.entries == right.entries && left.normal == right.normal
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(subject)
    hasher.combine(path)
    hasher.combine(expected)
    hasher.combine(observed)
    hasher.combine(entries)
    hasher.combine(normal)
  }

  /// The word in a subject before the clause of its filter.
  package static let filterWord = " whose "

  private static let capability = "capability '"

  /// The finding that the subject does not declare a required capability.
  package static func missing(capability: String) -> Finding {
    Finding(
      subject: "\(Self.capability)\(capability)'", expected: "every SDK to have it", observed: "it is not declared")
  }

  /// Whether the finding is about a missing capability.
  package var isMissingCapability: Bool { entries.isEmpty && subject.hasPrefix(Self.capability) }
}

extension Finding: CustomStringConvertible {
  /// The finding on one line, such as `event requests: expected 1, observed 2 (entries 4, 9)`.
  package var description: String {
    let place = path == .root ? subject : "\(subject) \(path)"
    let shown =
      entries.isEmpty
      ? ""
      : " (\(entries.count == 1 ? "entry" : "entries") "
        + entries.prefix(8).map(String.init).joined(separator: ", ") + (entries.count > 8 ? ", …)" : ")")
    return "\(place): expected \(expected), observed \(observed)\(shown)"
  }
}
