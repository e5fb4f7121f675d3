import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Testing

@testable import ConformanceUpgrade

/// A run of three cases, and a newer pack.
@Suite struct RecordUpgradeTests {
  private static let checks: [String: Check] = [
    "holds": Check(text: "Holds.") { _, _ in [] },
    "never-holds": Check(text: "Never holds.") { _, _ in
      [Finding(subject: "check", expected: "nothing", observed: "something")]
    },
  ]

  private static func requirement(
    _ id: RequirementID, _ level: Requirement.Level = .must, withdrawn: String? = nil
  ) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: 1, level: level, basis: .stated,
      source: .init(document: "D", section: "1", revision: "1"), text: "It holds.", withdrawn: withdrawn)
  }

  private static func testCase(
    _ id: CaseID, _ claims: [RequirementID: String], aliases: [CaseID] = [], digest: String = "d"
  )
    -> Case
  {
    let claims = claims.sorted { $0.key < $1.key }.map {
      Claim(requirement: $0.key, assertion: .check(name: $0.value, with: [:]))
    }
    return Case(
      id: id, aliases: aliases, title: "One", role: "sdk", dialects: ["spec"],
      scenarios: [.init(steps: [], claims: claims)], digest: digest)
  }

  private static func judge(_ cases: [Case], _ requirements: [Requirement]) -> Judge {
    let definition = ProtocolDefinition(
      name: "parcel", title: "Parcel", document: "D", revision: "2026-05-01", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec"],
      features: [.init(number: 1, name: "Posting")])
    return Judge(
      catalogue: Catalogue(
        definition: definition, requirements: requirements, positions: [], cases: cases, exchanges: [], models: [:],
        defects: [], digest: "77aa"),
      checks: checks)
  }

  private static func instance(_ id: CaseID) -> CaseInstance { CaseInstance(id: id, row: nil, dialect: "spec") }

  /// A run in which these cases had these outcomes.
  private static func record(_ outcomes: [(CaseID, RequirementID, Verdict.Outcome)]) -> RunRecord {
    let header = RunRecord.Header(
      kit: "conform 0.1.0", protocolName: "parcel", specRevision: "2026-03-12", packDigest: "5f1d",
      startedAt: "2026-11-21T10:00:00.000Z", gate: .stated, seed: 7, roles: ["sdk"], jobs: 1, planned: 1,
      rerun: "conform run --sdk ./adapter")
    var record = RunRecord(
      header: header, subjects: [.init(role: "sdk", subject: Subject(name: "dart", version: "1.2.0"))])
    for (id, requirement, outcome) in outcomes {
      record.cases.append(
        RunRecord.CaseRun(
          instance: instance(id), title: "One", role: "sdk", file: "c.yaml", line: 1, duration: 1, ownDuration: 1,
          clock: .virtual, ending: .init(.completed), evidence: "e", evidenceDigest: "e", caseDigest: "d", verdicts: 1))
      record.rulings.append(
        RunRecord.Ruling(
          verdict: Verdict(instance: instance(id), requirement: requirement, outcome: outcome, clock: .virtual),
          disposition: outcome == .conforms ? .pass : .fail,
          rule: RunRecord.Rule(
            Self.requirement(requirement), in: judge([], []).catalogue.definition),
          rerun: header.rerun(instance(id), requirement)))
    }
    return record
  }

  private static func transcript(_ run: RunRecord.CaseRun) -> Transcript {
    let header = TranscriptHeader(
      kit: "test", protocolName: "parcel", specRevision: "1", packDigest: "5f1d", role: "sdk", instance: run.instance,
      caseDigest: "d", clock: .virtual, epoch: 0, seed: 7, subjects: ["sdk": Subject(name: "dart", version: "1.2.0")],
      bindings: [:])
    return Transcript(
      header: header, entries: [TranscriptEntry(number: 1, at: .zero, event: .end(.init(.completed)))])
  }

  private static func upgrade(_ record: RunRecord, to judge: Judge, hasEvidence: Bool = true) -> RecordUpgrade {
    RecordUpgrade(of: record, to: judge) { hasEvidence ? transcript($0) : nil }
  }

  /// The check of the newer pack, the earlier outcome, and the change.
  @Test(
    arguments: [
      ("holds", .conforms, nil, nil, false), ("never-holds", .conforms, .pass, .fail, true),
      ("holds", .violates([]), .fail, .pass, false), ("never-holds", .violates([]), nil, nil, false),
    ] as [(String, Verdict.Outcome, Disposition?, Disposition?, Bool)])
  func aVerdictIsRecomputedFromTheEvidence(
    check: String, outcome: Verdict.Outcome, old: Disposition?, new: Disposition?, isWorse: Bool
  ) {
    let judge = Self.judge([Self.testCase("one", ["PA-A-001": check])], [Self.requirement("PA-A-001")])
    let upgrade = Self.upgrade(Self.record([("one", "PA-A-001", outcome)]), to: judge)
    #expect(upgrade.changes.first?.old == old && upgrade.changes.first?.new == new)
    #expect(upgrade.unchanged == (old == nil ? 1 : 0) && upgrade.open.isEmpty)
    #expect(upgrade.isWorse == isWorse)
  }

  @Test func aCaseThatIsNewOrHasAnotherTextOrNoEvidenceMustRunAgain() {
    let requirements = [Self.requirement("PA-A-001")]
    let record = Self.record([("one", "PA-A-001", .conforms), ("gone", "PA-A-001", .conforms)])
    func cases(_ digest: String) -> [Case] {
      [Self.testCase("one", ["PA-A-001": "holds"], digest: digest), Self.testCase("two", ["PA-A-001": "holds"])]
    }
    let other = Self.upgrade(record, to: Self.judge(cases("other"), requirements))
    #expect(other.open.map(\.reason) == [.hasOtherText, .isNew])
    #expect(other.gone == [Self.instance("gone")])
    let lost = Self.upgrade(record, to: Self.judge(cases("d"), requirements), hasEvidence: false)
    #expect(lost.open.map(\.reason) == [.hasNoEvidence, .isNew])
    #expect(lost.text(.text).contains("run again: conform run --sdk ./adapter\n"))
  }

  @Test func aCaseWithAnotherNameIsTheSameCase() {
    let judge = Self.judge(
      [Self.testCase("uno", ["PA-A-001": "holds"], aliases: ["one"])], [Self.requirement("PA-A-001")])
    let upgrade = Self.upgrade(Self.record([("one", "PA-A-001", .conforms)]), to: judge)
    #expect(upgrade.unchanged == 1 && upgrade.open.isEmpty && upgrade.gone.isEmpty)
  }

  /// The selection of the record, the cases that are compared, and a word of the reason.
  @Test(
    arguments: [
      (["--case", "two"], ["two"], nil), (["--case", "three"], ["one", "two"], "three"),
      (["--feature", "9"], ["one", "two"], "9"), (["--colour", "red"], ["one", "two"], "--colour"),
    ] as [([String], [CaseID], String?)])
  func aSelectionThatThePackDoesNotKnowIsReported(selection: [String], compared: [CaseID], word: String?) {
    var record = Self.record([])
    record.header.selection = selection
    let cases = ["one", "two"].map { Self.testCase($0, ["PA-A-001": "holds"]) }
    let upgrade = Self.upgrade(record, to: Self.judge(cases, [Self.requirement("PA-A-001")]))
    #expect(upgrade.open.map(\.instance.id) == compared)
    #expect((upgrade.selectionProblem == nil) == (word == nil))
    #expect(upgrade.text(.text).contains("the whole suite is compared") == (word != nil))
    if let word { #expect(upgrade.text(.text).contains(word)) }
  }

  @Test func requirementsAreNewStricterWeakerOrGone() {
    let record = Self.record(
      ["PA-A-001", "PA-A-002", "PA-A-003", "PA-A-004"].map { (CaseID("c\($0)"), $0, .conforms) })
    let judge = Self.judge(
      [],
      [
        Self.requirement("PA-A-001"), Self.requirement("PA-A-002", .should),
        Self.requirement("PA-A-003", withdrawn: "It was wrong."), Self.requirement("PA-A-005"),
      ])
    let upgrade = Self.upgrade(record, to: judge)
    #expect(upgrade.requirements.map(\.kind) == [.new, .weaker, .gone, .gone])
    #expect(upgrade.requirements.map(\.id) == ["PA-A-005", "PA-A-002", "PA-A-003", "PA-A-004"])
    let text = upgrade.text(.text)
    #expect(text.contains("revision: 2026-03-12 (pack 5f1d) → 2026-05-01 (pack 77aa)\n"))
    #expect(text.contains("NEW REQUIREMENTS\n  PA-A-005  MUST (stated): It holds.\n"))
    #expect(text.contains("  PA-A-002  MUST (stated) → SHOULD (stated): It holds.\n"))
    #expect(text.contains("GONE REQUIREMENTS\n  PA-A-003  MUST: It holds.\n    It was wrong.\n"))
  }

  /// A run of selected cases does not make the rest of the pack new.
  @Test func aSelectionIsNotWidened() {
    var record = Self.record([("one", "PA-A-001", .conforms)])
    record.header.selection = ["--case", "one"]
    let judge = Self.judge(
      [Self.testCase("one", ["PA-A-001": "holds"]), Self.testCase("two", ["PA-A-002": "holds"])],
      [Self.requirement("PA-A-001"), Self.requirement("PA-A-002")])
    let upgrade = Self.upgrade(record, to: judge)
    #expect(upgrade.requirements.isEmpty && upgrade.open.isEmpty && upgrade.unchanged == 1)
  }

  @Test func whatABaselineKnewIsKnown() {
    var record = Self.record([("one", "PA-A-001", .violates([]))])
    record.rulings[0].disposition = .known
    record.rulings[0].baseline = "issue 12"
    let judge = Self.judge([Self.testCase("one", ["PA-A-001": "never-holds"])], [Self.requirement("PA-A-001")])
    #expect(Self.upgrade(record, to: judge).unchanged == 1)
  }

  @Test func theJSONHasEveryPart() throws {
    let judge = Self.judge(
      [Self.testCase("one", ["PA-A-001": "never-holds"]), Self.testCase("two", ["PA-A-002": "holds"])],
      [Self.requirement("PA-A-001"), Self.requirement("PA-A-002")])
    let json = Self.upgrade(Self.record([("one", "PA-A-001", .conforms), ("off", "PA-A-001", .conforms)]), to: judge)
      .json
    #expect(json["changes"]?.array?.first?["text"] == "check: expected nothing, observed something")
    #expect(json["requirements"]?.array?.first?["kind"] == "new")
    #expect(json["open"]?.array?.first?["case"] == "two@spec")
    #expect(json["gone"]?.array == ["off@spec"])
  }

  /// Every text of a record or a pack stays on its line.
  @Test func noTextMakesALine() {
    var record = Self.record([("one", "PA-A-001", .conforms)])
    record.subjects[0].subject.name = "\u{1B}[2J\u{202E}\r\nFORGED"
    record.rulings[0].rule.text = "\r\nFORGED"
    let text = Self.upgrade(record, to: Self.judge([], [])).text(.text)
    #expect(!text.contains("\nFORGED") && text.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" })
  }
}
