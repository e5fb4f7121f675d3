import JSONKit

extension RunRecord {
  /// What was asked of the run: the first line of a record.
  package struct Header: Hashable, Sendable {
    package var kit: String
    package var protocolName: String
    package var specRevision: String
    /// When the run began, in UTC: `2026-11-21T10:00:00.000Z`.
    package var startedAt: String
    package var gate: Gate
    package var seed: UInt64
    /// The clock that was asked for; nil for the cheapest that each subject offers.
    package var clock: ClockMode?
    /// The options that narrowed the run, as they would be typed: `--feature`, `13`; empty when it was about all.
    package var selection: [String]
    /// How many cases ran at once.
    package var jobs: Int
    /// How many runs of cases were planned.
    package var planned: Int
    /// The rules that the run is about and that no case judges in its dialects.
    package var withoutCase: [RequirementID]
    /// The command that repeats the run, without what chose its cases: `conform run --sdk ./adapter --seed 7`.
    package var rerun: String

    package init(
      kit: String, protocolName: String, specRevision: String, startedAt: String, gate: Gate, seed: UInt64,
      clock: ClockMode? = nil, selection: [String] = [], jobs: Int, planned: Int,
      withoutCase: [RequirementID] = [], rerun: String
    ) {
      self.kit = kit
      self.protocolName = protocolName
      self.specRevision = specRevision
      self.startedAt = startedAt
      self.gate = gate
      self.seed = seed
      self.clock = clock
      self.selection = selection
      self.jobs = jobs
      self.planned = planned
      self.withoutCase = withoutCase
      self.rerun = rerun
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

extension RunRecord.Header: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("version", .int(RunRecord.schemaVersion)), ("kit", .string(kit)), ("protocol", .string(protocolName)),
      ("specRevision", .string(specRevision)), ("startedAt", .string(startedAt)), ("gate", .string(gate.rawValue)),
      ("seed", .unsigned(seed)), ("clock", clock.map { .string($0.rawValue) }), ("selection", .strings(selection)),
      ("jobs", .int(jobs)), ("planned", .int(planned)),
      ("withoutCase", withoutCase.isEmpty ? nil : .strings(withoutCase.map(\.rawValue))), ("rerun", .string(rerun)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    try field.required("version").requireVersion(RunRecord.schemaVersion, of: "run record")
    kit = try field.required("kit").string()
    protocolName = try field.required("protocol").string()
    specRevision = try field.required("specRevision").string()
    let start = try field.required("startedAt")
    startedAt = try start.string()
    guard Timestamp(startedAt) != nil else { throw start.problem(expected: "an ISO 8601 time with a zone") }
    gate = try field.required("gate").word(Gate.self)
    seed = try field.required("seed").unsigned()
    clock = try field.optional("clock")?.word(ClockMode.self)
    selection = try field.required("selection").strings()
    jobs = try field.required("jobs").int()
    planned = try field.required("planned").int()
    withoutCase = try field.optional("withoutCase")?.strings().map { RequirementID($0) } ?? []
    rerun = try field.required("rerun").string()
  }
}

extension String {
  /// The text as one word of a POSIX shell: as it is when no character of it means anything there, else in quotes.
  package var quotedForShell: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_./:=@%+,".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
