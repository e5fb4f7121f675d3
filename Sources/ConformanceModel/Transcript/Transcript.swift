/// All that happened in one run of a case: what the judge judges and the certifier keeps.
public struct Transcript: Hashable, Sendable {
  public var header: TranscriptHeader
  public var entries: [TranscriptEntry]

  public init(header: TranscriptHeader, entries: [TranscriptEntry] = []) {
    self.header = header
    self.entries = entries
  }

  /// How the performance ended; nil when the transcript was cut off.
  public var ending: TranscriptEntry.Ending? {
    if case .end(let ending)? = entries.last?.event { ending } else { nil }
  }
}

/// Which case was performed, against whom, and under what conditions.
public struct TranscriptHeader: Hashable, Sendable {
  /// The version of the transcript's schema.
  public static let schemaVersion = 1

  public var kit: String
  public var protocolName: String
  public var specRevision: String
  public var role: Role
  public var instance: CaseInstance
  public var clock: ClockMode
  /// Logical time zero in milliseconds since 1970-01-01T00:00:00Z.
  public var epoch: Int
  public var seed: UInt64
  public var subject: Subject
  /// What steps could refer to: `main.url`, `decoy.url`, `now`.
  public var bindings: Bindings

  public init(
    kit: String, protocolName: String, specRevision: String, role: Role, instance: CaseInstance, clock: ClockMode,
    epoch: Int, seed: UInt64, subject: Subject, bindings: Bindings
  ) {
    self.kit = kit
    self.protocolName = protocolName
    self.specRevision = specRevision
    self.role = role
    self.instance = instance
    self.clock = clock
    self.epoch = epoch
    self.seed = seed
    self.subject = subject
    self.bindings = bindings
  }
}

/// Who is under test, by its own account.
public struct Subject: Hashable, Sendable {
  public var name: String
  public var version: String
  public var language: String?
  public var platform: String?
  /// The capabilities it declares.
  public var capabilities: [String]
  /// Whether it passed the runner's probes for made-up commands.
  public var isHonest: Bool

  public init(
    name: String, version: String, language: String? = nil, platform: String? = nil, capabilities: [String] = [],
    isHonest: Bool = true
  ) {
    self.name = name
    self.version = version
    self.language = language
    self.platform = platform
    self.capabilities = capabilities
    self.isHonest = isHonest
  }
}
