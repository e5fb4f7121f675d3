import JSONKit

/// What the judge says of one requirement after one run of a case.
package struct Verdict: Hashable, Sendable {
  /// The four answers. Only `conforms` is green.
  package enum Outcome: Hashable, Sendable {
    case conforms
    /// The subject is wrong: at least one finding.
    case violates([Finding])
    /// The kit could not tell.
    case unjudged(reason: String)
    case notApplicable(reason: String)
  }

  package var instance: CaseInstance
  package var requirement: RequirementID
  package var outcome: Outcome
  /// The clock that proved it.
  package var clock: ClockMode
  /// The violated rule that stood in the way of a judgement; nil where there is one, and for any other reason.
  package var cause: RequirementID?
  /// The capability without which the requirement does not bind a subject, where the subject lacks it; nil elsewhere.
  package var unmetCondition: String?
  /// The reason with names in the place of what only this run of the case has; nil where it has nothing of that kind.
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
  /// The reason of a verdict without a judgement, in its normal form; nil for a judgement.
  package var reasonWording: String? { normalReason ?? outcome.reason }
}

/// One difference between what a claim expects and what was observed.
package struct Finding: Hashable, Sendable {
  /// What was looked at: `event requests`, `initialize 'first'`.
  package var subject: String
  /// The place inside it, such as `$.body.timestamp`; the root when the thing as a whole is meant.
  package var path: JSONPath
  package var expected: String
  package var observed: String
  /// The entries of the transcript that show it, by number.
  package var entries: [Int]
  /// The texts with names in the place of what only this run of the case has; nil where they have nothing of that kind.
  package var normal: Wording?
  /// Whether a machine that was too slow may explain it: something is missing, or came late. Kept out of records, and of
  /// comparisons.
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

  /// The texts as they are.
  package var shown: Wording { Wording(subject: subject, expected: expected, observed: observed) }

  /// The texts as another run of the case has them too: ports, ids and instants are names.
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

  /// The word of a subject before the clause that picked it.
  package static let filterWord = " whose "

  private static let capability = "capability '"

  /// The subject does not declare a capability that every one must have.
  package static func missing(capability: String) -> Finding {
    Finding(
      subject: "\(Self.capability)\(capability)'", expected: "every SDK to have it", observed: "it is not declared")
  }

  /// Whether it is about a missing capability.
  package var isMissingCapability: Bool { entries.isEmpty && subject.hasPrefix(Self.capability) }
}

extension Finding: CustomStringConvertible {
  /// `event requests: expected 1, observed 2 (entries 4, 9)`.
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
