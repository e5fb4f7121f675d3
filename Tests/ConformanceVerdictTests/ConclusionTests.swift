import ConformanceModel
import ConformanceVerdict
import Testing

/// The conclusion of a run from its verdicts and from what is missing. A conformant run needs passes.
@Suite struct ConclusionTests {
  @Test(
    arguments: [
      ([.pass, .skipped, .advisory], false, .conformant), ([.pass, .known], false, .known),
      ([.pass, .fail], true, .notConformant), ([.error, .fail, .stale], true, .notConformant),
      ([.pass, .error], true, .unjudged), ([.error, .stale], false, .unjudged), ([.pass], true, .incomplete),
      ([.stale], true, .incomplete), ([.stale, .pass], false, .staleBaseline),
      ([.stale, .known], false, .staleBaseline),
    ] as [([Disposition], Bool, Conclusion.Word)])
  func theWorstDecides(dispositions: [Disposition], isIncomplete: Bool, word: Conclusion.Word) {
    let reasons = isIncomplete ? ["something is missing"] : []
    #expect(Conclusion(Tally(dispositions), missing: reasons) == Conclusion(word, reasons))
  }

  @Test func eachWordHasItsExitCode() {
    let codes = Conclusion.Word.allCases.map { "\($0.rawValue) \($0.exitCode.rawValue)" }
    #expect(
      codes == [
        "conformant 0", "conformant-but-for-known 0", "not-conformant 1", "unjudged 3", "incomplete 3",
        "stale-baseline 4",
      ])
  }

  /// A rule, the feature it belongs to, and the dialect in which it was judged.
  struct Judged: Sendable {
    var rule = "AB-C-001"
    var feature: Int? = 7
    var level = Requirement.Level.must
    var dialect: Dialect = "one"
    var role: Role = "sdk"
    var outcome = Verdict.Outcome.conforms
    var unmetCondition: String?

    static func skipped(
      _ rule: String = "AB-C-001", feature: Int? = 7, level: Requirement.Level = .must, dialect: Dialect = "one",
      role: Role = "sdk", because reason: String = "it has no ears", unmetCondition: String? = nil
    ) -> Self {
      Self(
        rule: rule, feature: feature, level: level, dialect: dialect, role: role,
        outcome: .notApplicable(reason: reason), unmetCondition: unmetCondition)
    }

    var ruling: RunRecord.Ruling {
      let verdict = Verdict(
        instance: .init(id: "a.case", row: nil, dialect: dialect), requirement: RequirementID(rule), outcome: outcome,
        clock: .real, unmetCondition: unmetCondition)
      let disposition = Disposition(
        outcome: outcome, level: level, basis: .stated, gate: .stated, isInBaseline: false)
      return RunRecord.Ruling(
        verdict: verdict, disposition: disposition,
        rule: .init(
          role: role, area: "c", feature: feature.map { .init(number: $0, name: "Feature \($0)") }, level: level,
          basis: .stated, source: .init(document: "D", section: "1", revision: "1"), text: "A rule."),
        rerun: "")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var judged: [Judged]
    var planned = 1
    var stop = RunAccount.Stop.end
    var word: Conclusion.Word
    var reasons: [String] = []
  }

  private static let instance = CaseInstance(id: "a.case", row: nil, dialect: "one")
  private static let pass = Judged(feature: 1)
  private static let wrong = Verdict.Outcome.violates([.init(subject: "s", expected: "1", observed: "2")])

  private static let rows = [
    Row(testDescription: "a pass", judged: [pass], word: .conformant),
    Row(
      testDescription: "no verdict", judged: [], word: .incomplete,
      reasons: ["nothing passed: no verdict speaks for the subject"]),
    Row(
      testDescription: "advice alone", judged: [Judged(level: .should, outcome: wrong)], word: .incomplete,
      reasons: ["nothing passed: no verdict speaks for the subject"]),
    Row(
      testDescription: "all skipped", judged: [.skipped(), .skipped("AB-C-002", because: "a"), .skipped("AB-C-003")],
      word: .incomplete,
      reasons: ["nothing passed: every verdict was skipped, because it has no ears (and one other reason)"]),
    Row(
      testDescription: "a feature skipped", judged: [pass, .skipped(), .skipped("AB-C-002")], word: .incomplete,
      reasons: ["7 Feature 7: all 2 mandatory requirements were skipped, because it has no ears"]),
    Row(
      testDescription: "a rule skipped in two cases is one rule", judged: [pass, .skipped(), .skipped()],
      word: .incomplete, reasons: ["7 Feature 7: the one mandatory requirement was skipped, because it has no ears"]),
    Row(
      testDescription: "a feature skipped in part", judged: [pass, .skipped(), Judged(rule: "AB-C-002")],
      word: .conformant),
    Row(
      testDescription: "a feature that does not bind the subject", judged: [pass, .skipped(unmetCondition: "ears")],
      word: .conformant),
    Row(
      testDescription: "a feature that does not bind the subject in part",
      judged: [pass, .skipped(unmetCondition: "ears"), .skipped("AB-C-002", because: "it has no eyes")],
      word: .incomplete, reasons: ["7 Feature 7: the one mandatory requirement was skipped, because it has no eyes"]),
    Row(
      testDescription: "a feature skipped in one dialect",
      judged: [pass, .skipped(dialect: "two"), Judged(dialect: "one"), Judged(feature: 1, dialect: "two")],
      word: .incomplete,
      reasons: ["7 Feature 7 @two: the one mandatory requirement was skipped, because it has no ears"]),
    Row(
      testDescription: "a dialect that is not spoken",
      judged: [pass, .skipped(dialect: "two"), Judged(dialect: "one")], word: .conformant),
    Row(
      testDescription: "a feature skipped in one role",
      judged: [pass, .skipped(role: "server"), Judged()], word: .incomplete,
      reasons: ["7 Feature 7 of server: the one mandatory requirement was skipped, because it has no ears"]),
    Row(testDescription: "advice skipped", judged: [pass, .skipped(level: .should)], word: .conformant),
    Row(testDescription: "no feature skipped", judged: [pass, .skipped(feature: nil)], word: .conformant),
    Row(
      testDescription: "a failure says what is missing, too", judged: [Judged(feature: 1, outcome: wrong), .skipped()],
      word: .notConformant, reasons: ["7 Feature 7: the one mandatory requirement was skipped, because it has no ears"]),
    Row(
      testDescription: "fewer results than planned", judged: [pass], planned: 3, word: .incomplete,
      reasons: ["only 1 of 3 cases have a result"]),
    Row(
      testDescription: "interrupted", judged: [pass], planned: 3, stop: .interruption, word: .incomplete,
      reasons: ["the run was interrupted after 1 of 3 cases"]),
    Row(
      testDescription: "interrupted in the middle of a case",
      judged: [pass, Judged(outcome: .unjudged(reason: "interrupted"))], planned: 3, stop: .interruption,
      word: .incomplete, reasons: ["the run was interrupted after 1 of 3 cases"]),
    Row(
      testDescription: "interrupted with a failure", judged: [Judged(outcome: wrong)], planned: 3,
      stop: .interruption, word: .notConformant, reasons: ["the run was interrupted after 1 of 3 cases"]),
    Row(
      testDescription: "killed with a failure", judged: [Judged(outcome: wrong)], stop: .death, word: .incomplete,
      reasons: ["the run was killed after 1 of 1 cases"]),
  ]

  @Test(arguments: rows) func aRunComesToItsWord(_ row: Row) {
    var account = RunAccount(gate: .stated, planned: row.planned)
    account.addCase(Self.instance)
    for judged in row.judged { account.add(judged.ruling) }
    #expect(account.conclusion(row.stop) == Conclusion(row.word, row.reasons))
  }

  /// A run of single chosen cases does not have to cover a feature.
  @Test(
    arguments: [
      (["--case", "a.case"], .conformant), (["--requirement", "AB-C-001"], .conformant),
      (["--feature", "7"], .incomplete), ([], .incomplete),
    ] as [([String], Conclusion.Word)])
  func aRunOfChosenCasesLacksNoFeature(selection: [String], word: Conclusion.Word) {
    let header = RunRecord.Header(
      kit: "k", protocolName: "p", specRevision: "1", startedAt: "2026-11-21T00:00:00Z", gate: .stated, seed: 1,
      selection: selection, jobs: 1, planned: 1, rerun: "conform run")
    var account = RunAccount(header)
    account.addCase(Self.instance)
    for judged in [Self.pass, .skipped()] { account.add(judged.ruling) }
    #expect(account.conclusion(.end).word == word)
  }

  /// The rerun of an advisory card shows what the user asked for, so it ends with 0.
  @Test(
    arguments: [
      (["--case", "a.case"], 1, .conformant, []),
      ([], 1, .incomplete, ["nothing passed: no verdict speaks for the subject"]),
      (["--requirement", "AB-C-001"], 0, .incomplete, ["nothing passed: no case here judges the chosen requirements"]),
    ] as [([String], Int, Conclusion.Word, [String])])
  func adviceAloneIsEnoughForChosenCases(selection: [String], cases: Int, word: Conclusion.Word, reasons: [String]) {
    let header = RunRecord.Header(
      kit: "k", protocolName: "p", specRevision: "1", startedAt: "2026-11-21T00:00:00Z", gate: .stated, seed: 1,
      selection: selection, jobs: 1, planned: cases, rerun: "conform run")
    var account = RunAccount(header)
    if cases > 0 {
      account.addCase(Self.instance)
      account.add(Judged(level: .should, outcome: Self.wrong).ruling)
    }
    #expect(account.conclusion(.end) == Conclusion(word, reasons))
  }

  /// A case in doubt counts as a case without a result until it has a result.
  @Test func aRunThatWasKilledSaysHowManyCasesWereInDoubt() {
    var account = RunAccount(gate: .stated, planned: 3)
    let other = CaseInstance(id: "another.case", row: nil, dialect: "one")
    for instance in [Self.instance, other] { account.add(.init(instance: instance, reason: "a busy machine")) }
    account.addCase(Self.instance)
    account.add(Self.pass.ruling)
    #expect(account.conclusion(.death).reasons == ["the run was killed after 1 of 3 cases, and with 1 in doubt"])
    account.addCase(other)
    #expect(account.conclusion(.death).reasons == ["the run was killed after 2 of 3 cases"])
  }

  /// Where a document has alternatives, the record says by which of them the subject was judged.
  @Test func whatDoesNotBindTheSubjectIsSaid() {
    var account = RunAccount(gate: .stated, planned: 1)
    let judged: [Judged] = [Self.pass, .skipped(unmetCondition: "ears"), .skipped("AB-C-002", unmetCondition: "eyes")]
    for one in judged { account.add(one.ruling) }
    #expect(
      account.unboundFeatures == ["7 Feature 7: not asked, because it binds only a subject with 'ears' or 'eyes'"])
    account.add(Judged().ruling)
    #expect(account.unboundFeatures == [])
  }
}
