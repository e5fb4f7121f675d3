/// All that happened in one run of a case: what the judge judges and the certifier keeps.
package struct Transcript: Hashable, Sendable {
  package var header: TranscriptHeader
  package var entries: [TranscriptEntry]

  package init(header: TranscriptHeader, entries: [TranscriptEntry] = []) {
    self.header = header
    self.entries = entries
  }

  /// How the performance ended; nil when the transcript was cut off.
  package var ending: TranscriptEntry.Ending? {
    if case .end(let ending)? = entries.last?.event { ending } else { nil }
  }
}

/// Which case was performed, against whom, and under what conditions.
package struct TranscriptHeader: Hashable, Sendable {
  /// The version of the transcript's schema.
  package static let schemaVersion = 1

  package var kit: String
  package var protocolName: String
  package var specRevision: String
  package var role: Role
  package var instance: CaseInstance
  package var clock: ClockMode
  /// Logical time zero in milliseconds since 1970-01-01T00:00:00Z.
  package var epoch: Int
  package var seed: UInt64
  package var subject: Subject
  /// What steps could refer to: `main.url`, `decoy.url`, `now`.
  package var bindings: Bindings

  package init(
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
package struct Subject: Hashable, Sendable {
  package var name: String
  package var version: String
  package var language: String?
  package var platform: String?
  /// The capabilities it declares.
  package var capabilities: [String]
  /// Whether it passed the runner's probes for made-up commands.
  package var isHonest: Bool

  package init(
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
