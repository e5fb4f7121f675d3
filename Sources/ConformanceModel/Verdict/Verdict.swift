/// What the judge says of one requirement after one run of a case.
public struct Verdict: Hashable, Sendable {
  /// The four answers. Only `conforms` is green.
  public enum Outcome: Hashable, Sendable {
    case conforms
    /// The subject is wrong: at least one finding.
    case violates([Finding])
    /// The kit could not tell.
    case unjudged(reason: String)
    case notApplicable(reason: String)
  }

  public var instance: CaseInstance
  public var requirement: RequirementID
  public var outcome: Outcome
  /// The clock that proved it.
  public var clock: ClockMode

  public init(instance: CaseInstance, requirement: RequirementID, outcome: Outcome, clock: ClockMode) {
    self.instance = instance
    self.requirement = requirement
    self.outcome = outcome
    self.clock = clock
  }
}

/// One difference between what a claim expects and what was observed.
public struct Finding: Hashable, Sendable {
  /// What was looked at: `event requests`, `initialize 'first'`.
  public var subject: String
  /// The place inside it, such as `$.body.timestamp`; the root when the thing as a whole is meant.
  public var path: JSONPath
  public var expected: String
  public var observed: String
  /// The entries of the transcript that show it, by number.
  public var entries: [Int]

  public init(subject: String, path: JSONPath = .root, expected: String, observed: String, entries: [Int] = []) {
    self.subject = subject
    self.path = path
    self.expected = expected
    self.observed = observed
    self.entries = entries
  }
}

extension Finding {
  private static let capability = "capability '"

  /// The subject does not declare a capability that every one must have.
  public static func missing(capability: String) -> Finding {
    Finding(
      subject: "\(Self.capability)\(capability)'", expected: "every SDK to have it", observed: "it is not declared")
  }

  /// Whether it is about a missing capability.
  public var isMissingCapability: Bool { entries.isEmpty && subject.hasPrefix(Self.capability) }
}

extension Finding: CustomStringConvertible {
  /// `event requests: expected 1, observed 2 (entries 4, 9)`.
  public var description: String {
    let place = path == .root ? subject : "\(subject) \(path)"
    let shown =
      entries.isEmpty
      ? ""
      : " (\(entries.count == 1 ? "entry" : "entries") "
        + entries.prefix(8).map(String.init).joined(separator: ", ") + (entries.count > 8 ? ", …)" : ")")
    return "\(place): expected \(expected), observed \(observed)\(shown)"
  }
}
