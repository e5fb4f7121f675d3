import ConformanceModel
import Templates

/// All events of one run of a case. The judge reads the transcript, and the run keeps it as evidence.
package struct Transcript: Hashable, Sendable {
  package var header: TranscriptHeader
  package var entries: [TranscriptEntry]

  package init(header: TranscriptHeader, entries: [TranscriptEntry] = []) {
    self.header = header
    self.entries = entries
  }

  /// How the run of the case ended; nil if the transcript was cut off.
  package var ending: TranscriptEntry.Ending? {
    if case .end(let ending)? = entries.last?.event { ending } else { nil }
  }
}

/// The case that ran, its subjects and its conditions.
package struct TranscriptHeader: Hashable, Sendable {
  /// The version of the transcript's schema.
  package static let schemaVersion = 2

  package var kit: String
  package var protocolName: String
  package var specRevision: String
  /// The digest of the catalogue that contains the case.
  package var packDigest: String
  package var role: Role
  package var instance: CaseInstance
  /// The digest of the case's text.
  package var caseDigest: String
  package var clock: ClockMode
  /// The instant at which logical time is zero, in milliseconds since 1970-01-01T00:00:00Z.
  package var epoch: Int
  package var seed: UInt64
  /// The subjects under test, by role. There are several if the kit tests a chain: an SDK and a backend together.
  package var subjects: [Role: Subject]
  /// The values that steps may use: addresses of services such as `client.url`, the time `now`, and provisioned values.
  package var bindings: Bindings

  package init(
    kit: String, protocolName: String, specRevision: String, packDigest: String = "", role: Role,
    instance: CaseInstance, caseDigest: String = "", clock: ClockMode, epoch: Int, seed: UInt64,
    subjects: [Role: Subject], bindings: Bindings
  ) {
    self.kit = kit
    self.protocolName = protocolName
    self.specRevision = specRevision
    self.packDigest = packDigest
    self.role = role
    self.instance = instance
    self.caseDigest = caseDigest
    self.clock = clock
    self.epoch = epoch
    self.seed = seed
    self.subjects = subjects
    self.bindings = bindings
  }

  /// Whether one of the subjects declares this capability.
  package func hasCapability(_ name: String) -> Bool { subjects.values.contains { $0.capabilities.contains(name) } }

  /// Whether the adapters of all subjects refused the made-up commands with which the kit probes them.
  package var isHonest: Bool { subjects.values.allSatisfy(\.isHonest) }
}

/// A subject under test, as it describes itself.
package struct Subject: Hashable, Sendable {
  package var name: String
  package var version: String
  package var language: String?
  package var platform: String?
  /// The capabilities that the subject declares.
  package var capabilities: [String]
  /// Whether the subject's adapter refused the commands with which the kit probes it. The names of these commands are
  /// made up, and an adapter that accepts them would accept any command.
  package var isHonest: Bool
  /// The abilities that the kit does not have on the machine on which the subject runs.
  package var lacks: Set<HostAbility>

  package init(
    name: String, version: String, language: String? = nil, platform: String? = nil, capabilities: [String] = [],
    isHonest: Bool = true, lacks: Set<HostAbility> = []
  ) {
    self.name = name
    self.version = version
    self.language = language
    self.platform = platform
    self.capabilities = capabilities
    self.isHonest = isHonest
    self.lacks = lacks
  }
}
