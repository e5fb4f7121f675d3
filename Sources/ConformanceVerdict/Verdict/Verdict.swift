import ConformanceModel
import JSONKit
import Templates

/// The judgement about one requirement after one run of a case.
package struct Verdict: Hashable, Sendable {
  /// The possible outcomes. Reports show only `conforms` in green.
  package enum Outcome: Hashable, Sendable {
    case conforms
    /// The subject violates the requirement. There is at least one finding.
    case violates([Finding])
    /// The kit could not decide whether the subject conforms.
    case unjudged(reason: String)
    case notApplicable(reason: String)

    /// The first words of the reason if a request is so malformed that no server can read it.
    package static let unreadable = "no server could read a request"
  }

  package var instance: CaseInstance
  package var requirement: RequirementID
  package var outcome: Outcome
  /// The clock of the run of the case.
  package var clock: ClockMode
  /// The violated requirement that prevented the judgement; nil if the requirement was judged, or if something else
  /// prevented this.
  package var cause: RequirementID?
  /// The capability that is the condition of the requirement, if the subject lacks this capability. The requirement
  /// does not bind the subject then. Otherwise nil.
  package var unmetCondition: String?
  /// The reason why the requirement is not judged, in its normal form: names replace values that differ between runs.
  /// Nil if the reason contains no such values.
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
  /// The reason why the requirement is not judged, in its normal form; nil for a judged requirement.
  package var reasonWording: String? { normalReason ?? outcome.reason }
}

/// One difference between the values that a claim expects and the values that were observed.
package struct Finding: Hashable, Sendable {
  /// The thing that is compared, such as `event requests` or `initialize 'first'`.
  package var subject: String
  /// The path of the compared value inside the subject, such as `$.body.timestamp`. The root path means the whole
  /// subject.
  package var path: JSONPath
  package var expected: String
  package var observed: String
  /// The numbers of the transcript entries that show the difference.
  package var entries: [Int]
  /// The texts in their normal form, in which names replace values that differ between runs. Nil if the texts contain
  /// no such values.
  package var normal: Wording?
  /// Whether a slow machine may be the cause, because the finding is that something is missing or late. This property
  /// is not written to records, and does not count when findings are compared.
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

  /// The texts in their normal form, which is the same in every run of the case: names replace ports, ids and instants.
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

  /// In ``subject``, the word after which the condition of the selector's filter begins.
  package static let filterWord = " whose "

  private static let capability = "capability '"

  /// The finding that the subject does not declare a capability that every subject must have.
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
