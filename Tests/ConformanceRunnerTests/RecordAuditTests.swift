import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Testing

@testable import ConformanceRunner

/// A record that does not fit the pack is refused, at the line that does not.
@Suite struct RecordAuditTests {
  private static let header = RunRecord.Header(
    kit: "k", protocolName: "parcel", specRevision: "1", packDigest: "", startedAt: "2026-11-21T00:00:00Z",
    gate: .stated, seed: 1, selection: ["--case", "send.plain"], roles: ["sdk"], jobs: 1, planned: 1,
    rerun: "conform run")
  private static let instance = CaseInstance(id: "send.plain", row: nil, dialect: "plain")
  private static let participant = RunRecord.Participant(
    role: "sdk", subject: Subject(name: "p", version: "1", capabilities: ["parcels"], isHonest: true))
  private static let run = RunRecord.CaseRun(
    instance: instance, title: "Plain only", role: "sdk", file: "", line: 0, duration: 1, ownDuration: 1, clock: .real,
    ending: .init(.completed), verdicts: 1)
  private static let ruling = RunRecord.Ruling(
    verdict: Verdict(instance: instance, requirement: "P-ONE-002", outcome: .conforms, clock: .real),
    disposition: .pass,
    rule: .init(Sample.requirement("P-ONE-002", feature: 2), in: Sample.definition), rerun: "")

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var header = RecordAuditTests.header
    var run = RecordAuditTests.run
    var ruling = RecordAuditTests.ruling
    var says: String?

    init(
      _ name: String, _ says: String?, header: (inout RunRecord.Header) -> Void = { _ in },
      run: (inout RunRecord.CaseRun) -> Void = { _ in }, ruling: (inout RunRecord.Ruling) -> Void = { _ in }
    ) {
      (testDescription, self.says) = (name, says)
      header(&self.header)
      run(&self.run)
      ruling(&self.ruling)
    }
  }

  private static let rows = [
    Row("of this pack", nil),
    Row(
      "another protocol", "$.protocol: expected 'parcel', the protocol of this pack, found 'letter'",
      header: { $0.protocolName = "letter" }),
    Row(
      "another pack",
      "$.packDigest: expected '', the digest of this pack (the record was made with another: run again, or name with "
        + "--root or --pack the pack of that run), found '5f1d'", header: { $0.packDigest = "5f1d" }),
    Row(
      "another revision", "$.specRevision: expected '1', the revision of this pack, found '2'",
      header: { $0.specRevision = "2" }),
    Row(
      "another number of cases", "$.planned: expected '1', the planned runs of cases, found '2'",
      header: { $0.planned = 2 }),
    Row(
      "a narrower selection than was planned",
      "$.planned: expected '5', the planned runs of cases, found '1'",
      header: { $0.selection = [] }),
    Row(
      "a selection of nothing", "$.selection: expected options that select cases of this pack, found unknown case",
      header: { $0.selection = ["--case", "no.such"] }),
    Row(
      "words that select nothing",
      "$.selection: expected options that select cases of this pack, found the option '--x'",
      header: { $0.selection = ["--x", "y"] }),
    Row(
      "a position that there is not", "$.withoutPositions: expected positions of this pack, found 'P-9'",
      header: { $0.withoutPositions = ["P-9"] }),
    Row(
      "a case that there is not",
      "$.instance: expected a run of a case that this pack has and that the selection holds",
      run: { $0.instance.id = "send.gone" }),
    Row(
      "a row that there is not", "$.instance: expected a run of a case that this pack has",
      run: { $0.instance.row = "z" }),
    Row(
      "a dialect in which it does not run", "$.instance: expected a run of a case that this pack has",
      run: { $0.instance.dialect = "fancy" }),
    Row(
      "another title", "$.title: expected 'Plain only', that of the case, found 'Nicer'", run: { $0.title = "Nicer" }),
    Row("another role", "$.role: expected 'sdk', that of the case, found 'server'", run: { $0.role = "server" }),
    Row(
      "another text of the case", "$.caseDigest: expected '', the digest of the case's text, found '9c'",
      run: { $0.caseDigest = "9c" }),
    Row("fewer verdicts", "$.verdicts: expected '1', as many as the case gives, found '0'", run: { $0.verdicts = 0 }),
    Row(
      "a requirement of another case",
      "$.requirement: expected a requirement that send.plain@plain judges, found P-ONE-001",
      ruling: { $0.verdict.requirement = "P-ONE-001" }),
    Row(
      "a milder level", "$.rule: expected P-ONE-002 as this pack has it, found another text, level, basis or source",
      ruling: { $0.rule.level = .should }),
    Row("another text", "$.rule: expected P-ONE-002 as this pack has it", ruling: { $0.rule.text = "Another." }),
    Row("another feature", "$.rule: expected P-ONE-002 as this pack has it", ruling: { $0.rule.feature = nil }),
    Row(
      "a repetition with another seed", "$.rerun: expected no --seed, as the other members say, found --seed 7",
      header: { $0.rerun += " --seed 7" }),
    Row(
      "a repetition without the gate", "$.rerun: expected --gate strict, as the other members say, found none",
      header: { $0.gate = .strict }),
    Row(
      "a repetition without the baseline",
      "$.rerun: expected --baseline b.yaml, as the other members say, found none",
      header: { $0.baseline = .init(file: "b.yaml", digest: "0") }),
    Row("a repetition that names everything", nil) {
      ($0.gate, $0.seed, $0.baseline) = (.strict, 7, .init(file: "my b.yaml", digest: "0"))
      $0.rerun = "conform run --sdk './a --seed 3' --seed 7 --gate strict --baseline 'my b.yaml'"
    },
    Row(
      "skipped for a capability that is declared",
      "$.reason: expected nothing that lacks a capability which a participant declares, found 'the subject does not have",
      ruling: {
        $0.verdict.outcome = .notApplicable(reason: "the subject does not have the capability 'parcels'")
        $0.disposition = .skipped
      }),
    Row(
      "skipped for a capability that is missing", nil,
      ruling: {
        $0.verdict.outcome = .notApplicable(reason: "the subject does not have the capability 'letters'")
        $0.disposition = .skipped
      }),
    Row(
      "failed for a capability that is declared",
      "$.findings: expected nothing that lacks a capability which a participant declares, found 'capability 'parcels'",
      ruling: {
        $0.verdict.outcome = .violates([.missing(capability: "parcels")])
        $0.disposition = .fail
      }),
  ]

  @Test(arguments: rows) func aRecordIsHeldAgainstThePack(_ row: Row) {
    var audit = RecordAudit(Sample.catalogue)
    var found: String?
    do throws(JSONField.Problem) {
      let lines: [RunRecord.Line] = [
        .run(row.header), .subject(Self.participant), .testCase(row.run), .verdict(row.ruling),
      ]
      for line in lines { try audit.take(line) }
    } catch {
      found = error.description
    }
    if let says = row.says {
      #expect(found?.hasPrefix(says) == true, "\(found ?? "nothing")")
    } else {
      #expect(found == nil)
    }
  }
}
