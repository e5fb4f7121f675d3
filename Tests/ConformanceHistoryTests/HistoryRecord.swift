import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// A record of one subject, for histories.
enum HistoryRecord {
  static func header(
    day: Int, protocolName: String = "parcel", pack: String = "5f1d", gate: Gate = .stated
  ) -> RunRecord.Header {
    RunRecord.Header(
      kit: "conform 0.1.0", protocolName: protocolName, specRevision: "2026-03-12", packDigest: pack,
      startedAt: "2026-11-0\(day)T10:00:00.000Z", gate: gate, seed: 7, roles: ["sdk"], jobs: 4, planned: 1,
      rerun: "conform run --sdk './my adapter'")
  }

  static let instance = CaseInstance(id: "queue.full", row: "101", dialect: "spec")

  static let finding = Finding(
    subject: "queueSize", path: .root.appending(key: "kept"), expected: "100", observed: "101", entries: [4, 9])

  static func rule(_ id: RequirementID) -> RunRecord.Rule {
    RunRecord.Rule(
      role: "sdk", area: id.area, feature: .init(number: 2, name: "Queue"), level: .must, basis: .stated,
      source: .init(document: "D", section: "13", revision: "1"), text: "The queue holds 100 parcels.")
  }

  /// A run on a day with one outcome for each requirement.
  static func make(
    day: Int = 1, name: String = "dart", version: String = "1.0", protocolName: String = "parcel",
    pack: String = "5f1d", outcomes: [Verdict.Outcome] = [.conforms]
  ) -> RunRecord {
    let header = header(day: day, protocolName: protocolName, pack: pack)
    let subject = Subject(name: name, version: version)
    var record = RunRecord(header: header, subjects: [.init(role: "sdk", subject: subject)])
    record.cases = [
      RunRecord.CaseRun(
        instance: instance, title: "A title", role: "sdk", file: "cases/queue.yaml", line: 12, duration: 12.25,
        ownDuration: 1.5, clock: .virtual, ending: .init(.completed), evidence: "evidence/a.jsonl",
        evidenceDigest: "d16", caseDigest: "9c04", verdicts: outcomes.count)
    ]
    record.rulings = outcomes.enumerated().map { number, outcome in
      let id = RequirementID("PA-Q-00\(number + 1)")
      return RunRecord.Ruling(
        verdict: Verdict(instance: instance, requirement: id, outcome: outcome, clock: .virtual),
        disposition: Disposition(
          outcome: outcome, level: .must, basis: .stated, gate: .stated, isInBaseline: false), rule: rule(id),
        rerun: header.rerun(instance, id), story: outcome == .conforms ? [] : ["> 3  post", "  #9 ← 200"])
    }
    record.end = end(of: record)
    return record
  }

  private static func end(of record: RunRecord) -> RunRecord.End {
    let tally = Tally(record.rulings.map(\.disposition))
    let conclusion = record.account.conclusion(.end)
    return RunRecord.End(tally: tally, conclusion: conclusion, notes: record.account.unboundFeatures, duration: 278)
  }
}
