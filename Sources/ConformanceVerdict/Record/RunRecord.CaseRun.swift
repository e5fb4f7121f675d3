import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates

extension RunRecord {
  /// One run of a case: how it was performed and how it ended.
  package struct CaseRun: Hashable, Sendable {
    package var instance: CaseInstance
    package var title: String
    package var role: Role
    /// The file of the case in the catalogue.
    package var file: String
    package var line: Int
    /// The real duration of the run of the case, in milliseconds.
    package var duration: Double
    /// The part of ``duration`` in which the kit itself worked and did not wait for other programs, in milliseconds.
    package var ownDuration: Double
    package var clock: ClockMode
    package var ending: TranscriptEntry.Ending
    /// The path of the transcript, absolute or relative to the folder in which the run was started; nil if no
    /// transcript was stored.
    package var evidence: String?
    /// The digest of the transcript's file.
    package var evidenceDigest: String?
    /// The digest of the case's text.
    package var caseDigest: String
    /// The number of verdicts of the case.
    package var verdicts: Int

    package init(
      instance: CaseInstance, title: String, role: Role, file: String, line: Int, duration: Double,
      ownDuration: Double, clock: ClockMode, ending: TranscriptEntry.Ending, evidence: String? = nil,
      evidenceDigest: String? = nil, caseDigest: String = "", verdicts: Int
    ) {
      self.instance = instance
      self.title = title
      self.role = role
      self.file = file
      self.line = line
      self.duration = duration
      self.ownDuration = ownDuration
      self.clock = clock
      self.ending = ending
      self.evidence = evidence
      self.evidenceDigest = evidenceDigest
      self.caseDigest = caseDigest
      self.verdicts = verdicts
    }
  }
}

extension RunRecord.CaseRun: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("instance", instance)
    members.add("title", title)
    members.add("role", role.rawValue)
    members.add("file", file)
    members.add("line", line)
    members.add("duration", JSON.number(duration))
    members.add("ownDuration", JSON.number(ownDuration))
    members.add("clock", clock.rawValue)
    members.add("ending", ending)
    members.add("caseDigest", caseDigest)
    members.add("verdicts", verdicts)
    members.add("evidence", evidence)
    members.add("evidenceDigest", evidenceDigest)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    instance = try field.decode("instance")
    title = try field.required("title").string()
    role = Role(try field.required("role").string())
    file = try field.required("file").string()
    line = try field.required("line").int()
    duration = try field.required("duration").duration()
    ownDuration = try field.required("ownDuration").duration()
    clock = try field.required("clock").word(ClockMode.self)
    ending = try field.decode("ending")
    caseDigest = try field.required("caseDigest").string()
    verdicts = try field.required("verdicts").int()
    evidence = try field.optional("evidence")?.string()
    evidenceDigest = try field.optional("evidenceDigest")?.string()
  }
}
