import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// A run record in which every verdict is a violation with findings and a step-by-step account. So its reports are as
/// large as they can be for this number of verdicts.
enum LargeRecord {
  static func make(rulings count: Int) -> RunRecord {
    let header = RunRecord.Header(
      kit: "conform bench", protocolName: "bench", specRevision: "1", startedAt: "2026-01-01T00:00:00.000Z",
      gate: .strict, seed: 1, roles: ["sdk"], jobs: 1, planned: count, rerun: "conform run --sdk ./adapter")
    let subject = Subject(
      name: "bench", version: "1", language: nil, platform: nil, capabilities: [], isHonest: true)
    var record = RunRecord(header: header, subjects: [.init(role: "sdk", subject: subject)])
    record.cases = (0..<count).map(run)
    record.rulings = (0..<count).map { ruling($0, header) }
    return record
  }

  private static func instance(_ number: Int) -> CaseInstance {
    CaseInstance(id: "bench.case", row: "\(number)", dialect: "one")
  }

  private static func run(_ number: Int) -> RunRecord.CaseRun {
    RunRecord.CaseRun(
      instance: instance(number), title: "A case", role: "sdk", file: "spec/bench/cases/bench.yaml", line: 1,
      duration: 2, ownDuration: 1, clock: .virtual, ending: .init(.completed), verdicts: 1)
  }

  private static func ruling(_ number: Int, _ header: RunRecord.Header) -> RunRecord.Ruling {
    let instance = instance(number)
    let requirement = RequirementID("BE-AREA\(number % 10)-\(number)")
    let finding = Finding(
      subject: "event requests", path: .root.appending(key: "eventData"), expected: #"{"price":"9.99"} & no more"#,
      observed: #"{"price":"10","currency":"<none>"}"#, entries: [4, 9])
    let verdict = Verdict(
      instance: instance, requirement: requirement, outcome: .violates([finding, finding]), clock: .virtual)
    return RunRecord.Ruling(
      verdict: verdict, disposition: .fail, rule: rule(requirement), rerun: header.rerun(instance, requirement),
      story: story(number))
  }

  private static func rule(_ requirement: RequirementID) -> RunRecord.Rule {
    RunRecord.Rule(
      role: "sdk", area: requirement.area, feature: nil, level: .must, basis: .stated,
      source: .init(document: "A specification", section: "13 Queue", revision: "1"),
      text: "The queue holds at most 100 events; the oldest one makes room & is dropped without a word.")
  }

  private static func story(_ number: Int) -> [String] {
    (0..<24).map { line in
      #"#\#(line)  +\#(number)ms  → POST /api/events {"eventName":"purchase","note":"<b>a & b</b>","n":\#(line)}"#
    }
  }
}
