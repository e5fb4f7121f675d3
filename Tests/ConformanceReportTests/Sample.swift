import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// One run in which everything happens once: the data of the golden reports.
enum Sample {
  static let header = RunRecord.Header(
    kit: "conform 0.1.0", protocolName: "parcel", specRevision: "2026-03-12", packDigest: "5f1d",
    startedAt: "2026-11-21T10:00:00.250Z",
    gate: .stated, seed: 7, selection: ["--feature", "2"], roles: ["sdk"],
    baseline: .init(file: "baseline.yaml", digest: "b5e"), jobs: 4, planned: 5,
    rerun: "conform run --sdk './my adapter'")

  static let subject = Subject(
    name: "parcel-dart", version: "1.2.0", language: "dart", platform: "android", capabilities: ["queue"])

  static let participant = RunRecord.Participant(role: "sdk", subject: subject)

  static let first = CaseInstance(id: "post.first", row: nil, dialect: "spec")
  static let full = CaseInstance(id: "queue.full", row: "101", dialect: "spec")
  static let fullNext = CaseInstance(id: "queue.full", row: "101", dialect: "next")
  static let fuller = CaseInstance(id: "queue.full", row: "150", dialect: "spec")
  static let crash = CaseInstance(id: "queue.crash", row: nil, dialect: "spec")

  static func run(_ instance: CaseInstance, _ duration: Double, _ ending: TranscriptEntry.Ending) -> RunRecord.CaseRun {
    RunRecord.CaseRun(
      instance: instance, title: "A title", role: "sdk", file: "spec/parcel/cases/queue.yaml", line: 12,
      duration: duration, ownDuration: 1.25, clock: .virtual, ending: ending,
      evidence: "evidence/\(instance.id).jsonl", evidenceDigest: "d16", caseDigest: "9c04",
      verdicts: rulings.count { $0.verdict.instance == instance })
  }

  static func rule(_ id: RequirementID, _ level: Requirement.Level, feature: Int?) -> RunRecord.Rule {
    RunRecord.Rule(
      role: "sdk", area: id.area,
      feature: feature.map { .init(number: $0, name: $0 == 1 ? "Posting" : "Queue") }, level: level,
      basis: .stated,
      source: .init(document: "Parcel specification", section: "13 Queue", revision: "2026-03-12"),
      text: "The queue holds 100 parcels & never more.")
  }

  static func ruling(
    _ id: RequirementID, _ instance: CaseInstance, _ outcome: Verdict.Outcome, _ disposition: Disposition,
    level: Requirement.Level = .must, feature: Int? = 2, baseline: String? = nil, story: [String] = []
  ) -> RunRecord.Ruling {
    RunRecord.Ruling(
      verdict: Verdict(instance: instance, requirement: id, outcome: outcome, clock: .virtual),
      disposition: disposition, rule: rule(id, level, feature: feature), baseline: baseline,
      rerun: header.rerun(instance, id), story: story)
  }

  static func finding(_ observed: String) -> Finding {
    Finding(
      subject: "queueSize 'size'", path: .root.appending(key: "kept"), expected: "100", observed: observed,
      entries: [4, 9])
  }

  static let second = Finding(subject: "post requests", expected: "1", observed: "2 <with> \"marks\"")

  static let story = ["> 3  post {\"n\":1}", "     #4 → POST /parcels", "  …", "     #9 ← 200 OK"]

  static let rulings = [
    ruling("PA-POST-001", first, .conforms, .pass, feature: 1),
    ruling("PA-POST-002", first, .conforms, .stale, feature: 1, baseline: "known since 1.1"),
    ruling(
      "PA-POST-003", first, .notApplicable(reason: "the capability 'ears' is not declared"), .skipped, feature: nil),
    ruling("PA-QUEUE-001", full, .violates([finding("101"), second]), .fail, story: story),
    ruling("PA-QUEUE-001", fullNext, .violates([finding("101"), second]), .fail, story: story),
    ruling("PA-QUEUE-001", fuller, .violates([finding("150")]), .fail, story: story + story + story),
    ruling("PA-QUEUE-002", full, .violates([second]), .advisory, level: .should),
    ruling("PA-QUEUE-003", full, .violates([second]), .known, baseline: "issue 12"),
    ruling("PA-QUEUE-001", crash, .unjudged(reason: "the adapter died: exit 3"), .error),
    ruling("PA-QUEUE-004", crash, .unjudged(reason: "the adapter died: exit 3"), .error),
  ]

  static let record = RunRecord(
    header: header, subjects: [participant],
    cases: [
      run(first, 241.4, .init(.completed)), run(full, 12, .init(.completed)), run(fullNext, 11, .init(.completed)),
      run(fuller, 10.5, .init(.completed)), run(crash, 3, .init(.adapterDied, "exit 3")),
    ],
    rulings: rulings,
    end: .init(
      tally: [.pass: 1, .fail: 3, .advisory: 1, .known: 1, .stale: 1, .error: 2, .skipped: 1],
      conclusion: Conclusion(.notConformant), duration: 278))

  /// The record with other rulings, for one thing at a time.
  static func record(_ rulings: [RunRecord.Ruling]) -> RunRecord {
    var record = record
    record.rulings = rulings
    return record
  }
}
