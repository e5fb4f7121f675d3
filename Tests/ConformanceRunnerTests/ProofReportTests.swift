import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Testing

@testable import ConformanceRunner
@testable import Proof

@Suite struct ProofReportTests {
  private static let violation = Verdict.Outcome.violates([Finding(subject: "x", expected: "1", observed: "2")])

  private static func defect(_ id: DefectID = "d", mustSurvive: String? = nil) -> Defect {
    Defect(
      id: id, side: "sdk", breaks: ["P-ONE-001"], caseName: "send.table[a]", text: "A fault.",
      mustSurvive: mustSurvive)
  }

  private static func result(
    _ verdicts: [(RequirementID, Verdict.Outcome)], ending: TranscriptEntry.Ending = .init(.completed),
    of name: String = "send.table[a]"
  ) throws -> CaseResult {
    let item = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: [name])).items[0]
    let header = TranscriptHeader(
      kit: "test", protocolName: "parcel", specRevision: "1", role: "sdk", instance: item.instance, clock: .real,
      epoch: 0, seed: 1, subjects: ["sdk": Subject(name: "s", version: "1")], bindings: [:])
    let settled = verdicts.map { id, outcome in
      SettledVerdict(
        verdict: Verdict(instance: item.instance, requirement: id, outcome: outcome, clock: .real),
        requirement: Sample.requirement(id), disposition: .pass)
    }
    let end = TranscriptEntry(number: 1, at: .zero, event: .end(ending))
    return CaseResult(
      testCase: item.testCase, transcript: Transcript(header: header, entries: [end]), settled: settled)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var verdicts: [(RequirementID, Verdict.Outcome)]
    var ending = TranscriptEntry.Ending(.completed)
    var outcome: ProofReport.Trial.Outcome
  }

  private static let died = TranscriptEntry.Ending(.adapterDied, "signal 4")

  private static let rows = [
    Row(testDescription: "the claim that names it", verdicts: [("P-ONE-001", violation)], outcome: .killed),
    Row(
      testDescription: "that claim and another", verdicts: [("P-ONE-002", violation), ("P-ONE-001", violation)],
      outcome: .killed),
    Row(
      testDescription: "others only, each once and sorted",
      verdicts: [
        ("P-ONE-003", violation), ("P-ONE-002", violation), ("P-ONE-002", violation), ("P-ONE-001", .conforms),
      ], outcome: .killedElsewhere(["P-ONE-002", "P-ONE-003"])),
    Row(testDescription: "nothing red", verdicts: [("P-ONE-001", .conforms)], outcome: .survived),
    Row(testDescription: "not applicable", verdicts: [("P-ONE-001", .notApplicable(reason: "r"))], outcome: .survived),
    Row(
      testDescription: "unjudged",
      verdicts: [("P-ONE-002", .conforms), ("P-ONE-001", .unjudged(reason: "no witness"))],
      outcome: .inconclusive("no witness")),
    Row(
      testDescription: "a dead reference shows nothing", verdicts: [("P-ONE-001", .unjudged(reason: "signal 4"))],
      ending: died, outcome: .crashed("signal 4")),
    Row(
      testDescription: "a hung one neither", verdicts: [("P-ONE-001", .unjudged(reason: "slow"))],
      ending: .init(.adapterHung, "slow"), outcome: .crashed("slow")),
    Row(
      testDescription: "a precondition is no death", verdicts: [("P-ONE-001", .unjudged(reason: "failed"))],
      ending: .init(.preconditionFailed, "failed"), outcome: .inconclusive("failed")),
  ]

  @Test(arguments: rows)
  func aTrialComesToWhatTheClaimsSay(row: Row) throws {
    let results = [try Self.result(row.verdicts, ending: row.ending)]
    #expect(ProofReport.Trial(defect: Self.defect(), results: results).outcome == row.outcome)
  }

  /// In a run of every case a requirement that the case depends on may hide the violation. If it holds there, it did
  /// not.
  @Test(
    arguments: [
      (.unjudged(reason: "below"), ProofReport.Trial.Outcome.killed), (.conforms, .survived),
    ] as [(Verdict.Outcome, ProofReport.Trial.Outcome)])
  func whatIsHiddenIsNoticedBelow(named: Verdict.Outcome, outcome: ProofReport.Trial.Outcome) throws {
    let results = [
      try Self.result([("P-ONE-001", named)]), try Self.result([("P-ONE-001", Self.violation)], of: "send.table[b]"),
    ]
    let trial = ProofReport.Trial(defect: Self.defect(), results: results, accountable: ["P-ONE-001"])
    #expect(trial.outcome == outcome)
  }

  /// The mutation did not cause any violation then.
  @Test func aBendThatChangedNothingProvesNothing() throws {
    var report = try Self.report(killed: 1, survived: 0)
    let results = [try Self.result([("P-ONE-001", Self.violation)])]
    let trial = ProofReport.Trial(defect: Self.defect(mustSurvive: nil), results: results, isUnbent: true)
    #expect(trial.outcome == .unbent)
    report.trials.append(trial)
    #expect(report.unbent.map(\.id) == ["d"])
    #expect(report.shortcomings.contains("mutations change nothing"))
  }

  @Test func aProofThatWasStoppedDoesNotHold() throws {
    var report = try Self.report(killed: 1, survived: 0)
    report.isStopped = true
    #expect(report.shortcomings == ["it was stopped"])
  }

  @Test func oneDialectThatNoticesIsEnough() throws {
    let results = [try Self.result([("P-ONE-001", .conforms)]), try Self.result([("P-ONE-001", Self.violation)])]
    #expect(ProofReport.Trial(defect: Self.defect(), results: results).outcome == .killed)
  }

  /// A report with this number of killed and surviving defects.
  private static func report(killed: Int, survived: Int) throws -> ProofReport {
    var report = ProofReport(catalogue: Sample.catalogue)
    for number in 0..<(killed + survived) {
      report.trials.append(
        ProofReport.Trial(
          defect: defect(DefectID("d\(number)")),
          results: [try result([("P-ONE-001", number < killed ? violation : .conforms)])]))
    }
    return report
  }

  @Test(arguments: [(0, 0, false), (1, 0, true), (19, 1, false), (0, 1, false)])
  func aProofHoldsWhenSomethingWasTriedAndEveryRequiredDefectWasNoticed(killed: Int, survived: Int, holds: Bool) throws
  {
    let report = try Self.report(killed: killed, survived: survived)
    #expect(report.holds == holds)
    #expect(report.requiredKillRate == .init(hits: killed, all: killed + survived))
  }

  @Test(arguments: ["baseline", "vacuity", "falseAlarms", "legal behaviour"])
  func oneWrongVerdictBreaksTheProof(kind: String) throws {
    var report = try Self.report(killed: 1, survived: 0)
    let verdict = try Self.result([("P-ONE-001", Self.violation)]).settled[0].verdict
    let complaint = ProofReport.Complaint(subject: "s", verdict: verdict)
    switch kind {
    case "baseline": report.baseline = [complaint]
    case "vacuity": report.vacuity = [.init(name: "null", passed: [complaint])]
    case "falseAlarms": report.falseAlarms = [.init(name: "v", failed: [complaint])]
    default:
      let results = [try Self.result([("P-ONE-001", Self.violation)])]
      report.trials.append(.init(defect: Self.defect("legal", mustSurvive: "it is allowed"), results: results))
    }
    #expect(!report.holds)
    #expect("\(complaint)" == "s: P-ONE-001 send.table[a]@fancy: x: expected 1, observed 2")
  }

  /// The requirement of a vacuous pass, the requirements that the catalogue declares as kept, and whether the proof
  /// holds.
  @Test(
    arguments: [
      ("P-ONE-001", ["P-ONE-001"], true), ("P-ONE-002", ["P-ONE-001"], false),
      ("P-ONE-002", ["P-ONE-001", "P-ONE-002"], true),
    ] as [(RequirementID, [RequirementID], Bool)])
  func whatAnIdleSubjectKeepsIsListed(_ passed: RequirementID, _ kept: [RequirementID], holds: Bool) throws {
    var catalogue = Sample.catalogue
    catalogue.idlePasses = [IdlePass(subject: "null sdk", keeps: kept, because: "It does.")]
    var report = ProofReport(catalogue: catalogue)
    report.trials = try Self.report(killed: 1, survived: 0).trials
    let verdict = try Self.result([(passed, .conforms)]).settled[0].verdict
    report.vacuity = [.init(name: "null sdk", passed: [.init(subject: "null sdk", verdict: verdict)])]
    #expect(report.holds == holds)
    #expect(report.vacuousPasses.count == (holds ? 0 : 1))
    report.vacuity[0].passed = []
    #expect(report.staleIdlePasses.count == 1)
  }

  @Test func legalBehaviourThatIsLeftAloneCountsInNoRate() throws {
    var report = try Self.report(killed: 1, survived: 0)
    let results = [try Self.result([("P-ONE-001", .conforms)])]
    report.trials.append(.init(defect: Self.defect("legal", mustSurvive: "it is allowed"), results: results))
    #expect(report.holds)
    #expect(report.namedKillRate == .init(hits: 1, all: 1))
    // Three requirements can be judged: one is withdrawn, and one is invisible to cases.
    #expect(report.requirementCoverage == .init(hits: 1, all: 3))
  }

  struct BlameRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var verdicts: [(RequirementID, Verdict.Outcome)]
    var right: [RequirementID] = ["P-ONE-001"]
    var wrong: [RequirementID] = []
    var silenced: [RequirementID] = []
    var holds = true
  }

  private static let unjudged = Verdict.Outcome.unjudged(reason: "no witness")

  @Test(arguments: [
    BlameRow(testDescription: "what it breaks", verdicts: [("P-ONE-001", violation), ("P-ONE-002", .conforms)]),
    BlameRow(
      testDescription: "what follows too", verdicts: [("P-ONE-001", violation), ("P-ONE-003", violation)],
      right: ["P-ONE-001", "P-ONE-003"]),
    BlameRow(
      testDescription: "what it keeps", verdicts: [("P-ONE-001", violation), ("P-ONE-002", violation)],
      wrong: ["P-ONE-002"], holds: false),
    BlameRow(
      testDescription: "what it silences", verdicts: [("P-ONE-001", violation), ("P-ONE-002", unjudged)],
      silenced: ["P-ONE-002"], holds: false),
    BlameRow(
      testDescription: "what no suite can judge",
      verdicts: [
        ("P-ONE-001", violation), ("P-ONE-002", .unjudged(reason: "\(Verdict.Outcome.unreadable): no Host")),
      ]),
    BlameRow(
      testDescription: "what is judged elsewhere is not silenced",
      verdicts: [("P-ONE-001", violation), ("P-ONE-002", unjudged), ("P-ONE-002", .conforms)]),
    BlameRow(
      testDescription: "what the subject does without the defect too",
      verdicts: [("P-ONE-001", violation), ("P-TWO-001", violation)]),
  ])
  func blameLiesWhereTheFaultIs(row: BlameRow) throws {
    var defect = Self.defect()
    defect.follows = ["P-ONE-003": "The one needs the other."]
    let accountable = defect.accountable
    var report = ProofReport(catalogue: Sample.catalogue)
    report.trials = [
      .init(defect: defect, results: [try Self.result(row.verdicts)], accountable: accountable, advised: ["P-TWO-001"])
    ]
    let blame = try #require(report.trials[0].blame)
    #expect(blame.right == row.right)
    #expect(blame.wrong == row.wrong)
    #expect(blame.silenced == row.silenced)
    #expect(report.holds == row.holds)
    #expect(report.worstBlamed(1).count == (row.holds ? 0 : 1))
  }

  @Test func withoutEveryCaseThereIsNoBlame() throws {
    let report = try Self.report(killed: 1, survived: 0)
    #expect(report.blameRate == nil)
    #expect(report.silence == nil)
  }

  @Test(arguments: [
    (0, 0, "0/0"), (1, 1, "1/1 = 100.0 %"), (41, 42, "41/42 = 97.6 %"), (999, 1000, "999/1000 = 99.9 %"),
  ])
  func aRateNeverRoundsUp(hits: Int, all: Int, text: String) {
    #expect(ProofReport.Rate(hits: hits, all: all).description == text)
  }
}
