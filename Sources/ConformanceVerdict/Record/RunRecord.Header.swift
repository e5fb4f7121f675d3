import ConformanceModel
import JSONKit
import Templates

extension RunRecord {
  /// The first line of a record. It describes the run that was requested.
  package struct Header: Hashable, Sendable {
    package var kit: String
    package var protocolName: String
    package var specRevision: String
    /// The digest of the catalogue that contains the cases.
    package var packDigest: String
    /// The start of the run in UTC, such as `2026-11-21T10:00:00.000Z`.
    package var startedAt: String
    package var gate: Gate
    package var seed: UInt64
    /// The SHA-256 of the challenge from which the seed of the run follows; nil for a run without a challenge.
    package var challenge: String?
    /// The time zone of programs that the kit started, such as `Europe/Athens`; nil if the kit started no programs.
    package var timeZone: String?
    /// The language of programs that the kit started, such as `tr_TR`; nil if the kit started no programs.
    package var language: String?
    /// The requested clock; nil for the fastest clock that each subject supports.
    package var clock: ClockMode?
    /// The options with which the user narrowed the run, as names and values in alternation, such as `--feature`, `13`.
    /// Empty if the run was not narrowed.
    package var selection: [String]
    /// The roles whose cases were planned.
    package var roles: [Role]
    /// The dialects whose cases were planned; empty for all dialects.
    package var dialects: [Dialect]
    /// The positions of the kit that were switched off.
    package var withoutPositions: [PositionID]
    /// The file of the baseline; nil for a run without a baseline.
    package var baseline: FileDigest?
    /// The number of cases that ran at the same time.
    package var jobs: Int
    /// The number of planned runs of cases.
    package var planned: Int
    /// The requirements within the selection of the run that no case judges in the dialects of the run.
    package var withoutCase: [RequirementID]
    /// In a run of an SDK and a server, cases of the SDK are left out if they use a keyword that only a mock server can
    /// perform, such as `fault`. Maps each such keyword to the number of these cases. Empty for other runs.
    package var leftOut: [String: Int]
    /// The numbers of roles, dialects and features of the protocol; nil in a record that does not contain them.
    package var extent: Extent?
    /// The shard that this machine ran; nil for a run that was not split.
    package var shard: RunRecord.Shard?
    /// The command that repeats the run, without the options that select cases: `conform run --sdk ./adapter --seed 7`.
    /// If environment variables are set that the programs of subjects read, the command begins with them:
    /// `CONFORM_DEFECT=a conform run`.
    package var rerun: String

    /// A file that influenced a run, with its digest.
    package struct FileDigest: Hashable, Sendable {
      package var file: String
      package var digest: String

      package init(file: String, digest: String) {
        self.file = file
        self.digest = digest
      }
    }

    package init(
      kit: String, protocolName: String, specRevision: String, packDigest: String = "", startedAt: String, gate: Gate,
      seed: UInt64, challenge: String? = nil, timeZone: String? = nil, language: String? = nil, clock: ClockMode? = nil,
      selection: [String] = [], roles: [Role] = [], dialects: [Dialect] = [],
      withoutPositions: [PositionID] = [], baseline: FileDigest? = nil, jobs: Int, planned: Int,
      withoutCase: [RequirementID] = [], leftOut: [String: Int] = [:], extent: Extent? = nil,
      shard: RunRecord.Shard? = nil, rerun: String
    ) {
      self.kit = kit
      self.protocolName = protocolName
      self.specRevision = specRevision
      self.packDigest = packDigest
      self.startedAt = startedAt
      self.gate = gate
      self.seed = seed
      self.challenge = challenge
      self.timeZone = timeZone
      self.language = language
      self.clock = clock
      self.selection = selection
      self.roles = roles
      self.dialects = dialects
      self.withoutPositions = withoutPositions
      self.baseline = baseline
      self.jobs = jobs
      self.planned = planned
      self.withoutCase = withoutCase
      self.leftOut = leftOut
      self.extent = extent
      self.shard = shard
      self.rerun = rerun
    }

    /// The day in UTC on which the run began, such as `2026-11-21`.
    package var day: String { String((Timestamp(startedAt)?.text ?? startedAt).prefix(10)) }

    /// The command that repeats the whole run, quoted for a POSIX shell.
    package var wholeRerun: String { whole(rerun) }

    /// Like ``wholeRerun``, but for a different machine: the name of the program is `conform`, and the option for the
    /// output folder is left out.
    package var rerunAnywhere: String {
      let program = /^((?:[A-Z_]+=(?:'[^']*'|\S*) )*)(?:'[^']*'|\S+) run\b/
      let command = rerun.replacing(program) { "\($0.1)conform run" }
      return whole(command.replacing(/\ --output (?:'[^']*'|\S+)$/, with: ""))
    }

    private func whole(_ command: String) -> String {
      ([command] + (selection + (shard?.words ?? [])).map(\.quotedForShell)).joined(separator: " ")
    }

    /// The command that repeats one case for one requirement, quoted for a POSIX shell.
    package func rerun(_ instance: CaseInstance, _ requirement: RequirementID) -> String {
      let words = [
        "--case", instance.name, "--dialect", instance.dialect.rawValue, "--requirement", requirement.rawValue,
      ]
      return ([rerun] + words.map(\.quotedForShell)).joined(separator: " ")
    }
  }
}

extension RunRecord.Header: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("version", RunRecord.schemaVersion)
    members.add("kit", kit)
    members.add("protocol", protocolName)
    members.add("specRevision", specRevision)
    members.add("packDigest", packDigest)
    members.add("startedAt", startedAt)
    members.add("gate", gate.rawValue)
    members.add("seed", JSON.unsigned(seed))
    members.add("challenge", challenge)
    members.add("timeZone", timeZone)
    members.add("language", language)
    members.add("clock", clock?.rawValue)
    members.add("selection", selection)
    members.add("roles", roles.map(\.rawValue))
    members.add("dialects", dialects.map(\.rawValue))
    members.add("withoutPositions", withoutPositions.map(\.rawValue))
    members.add("baseline", baseline)
    members.add("jobs", jobs)
    members.add("planned", planned)
    if !withoutCase.isEmpty { members.add("withoutCase", withoutCase.map(\.rawValue)) }
    if !leftOut.isEmpty {
      let counts = leftOut.sorted { $0.key < $1.key }
      members.add("leftOut", JSON.Object(counts.map { .init(key: $0.key, value: .int($0.value)) }))
    }
    members.add("extent", extent)
    members.add("shard", shard)
    members.add("rerun", rerun)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    try field.required("version").requireVersion(RunRecord.schemaVersion, of: "run record")
    kit = try field.required("kit").string()
    protocolName = try field.required("protocol").string()
    specRevision = try field.required("specRevision").string()
    packDigest = try field.required("packDigest").string()
    let start = try field.required("startedAt")
    startedAt = try start.string()
    guard Timestamp(startedAt) != nil else { throw start.problem(expected: "an ISO 8601 time with a zone") }
    gate = try field.required("gate").word(Gate.self)
    seed = try field.required("seed").unsigned()
    challenge = try field.optional("challenge")?.string()
    timeZone = try field.optional("timeZone")?.string()
    language = try field.optional("language")?.string()
    clock = try field.optional("clock")?.word(ClockMode.self)
    selection = try field.required("selection").strings()
    roles = try field.required("roles").strings().map { Role($0) }
    dialects = try field.required("dialects").strings().map { Dialect($0) }
    withoutPositions = try field.required("withoutPositions").strings().map { PositionID($0) }
    baseline = try field.decodeIfPresent("baseline")
    jobs = try field.required("jobs").int()
    planned = try field.required("planned").int()
    withoutCase = try field.optional("withoutCase")?.strings().map { RequirementID($0) } ?? []
    leftOut = [:]
    for (word, count) in try field.optional("leftOut")?.members() ?? [] { leftOut[word] = try count.int() }
    extent = try field.decodeIfPresent("extent")
    shard = try field.decodeIfPresent("shard")
    rerun = try field.required("rerun").string()
  }
}

extension RunRecord.Header.FileDigest: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("file", file)
    members.add("digest", digest)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    file = try field.required("file").string()
    digest = try field.required("digest").string()
  }
}

extension String {
  /// The text as one word of a POSIX shell. If the shell would interpret one of its characters, the text is in quotes.
  package var quotedForShell: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_./:=@%+,".utf8.contains(byte)
    }
    if isPlain, !isEmpty { return self }
    // Quotes in words are rare, and the check of a record quotes the words of each line again.
    let inside = utf8.contains(UInt8(ascii: "'")) ? replacing("'", with: "'\\''") : self
    return "'" + inside + "'"
  }
}
