import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Testing

@testable import Certification

/// The reasons why a run does not qualify for a certificate, each with a run that has this flaw alone.
@Suite struct CertificationTierTests {
  private static let definition = ProtocolDefinition(
    name: "cloakroom", title: "Cloakroom", document: "D", revision: "1", services: [],
    roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["plain"],
    capabilities: [
      .init(name: "tickets", roles: ["sdk"], isRequired: true, text: ""),
      .init(name: "tips", roles: ["sdk"], isRequired: false, text: ""),
    ])
  private static let tier = CertificationTier(
    name: "conformant", text: "It conforms.", roles: ["sdk"], dialects: ["plain"], gate: .stated, clock: .virtual,
    validDays: 365)

  private static let facts: RecordFacts = {
    let instance = CaseInstance(id: "some.case", row: nil, dialect: "plain")
    var facts = RecordFacts(
      RunRecord.Header(
        kit: "conform", protocolName: "cloakroom", specRevision: "1", startedAt: "2026-03-01T09:00:00.000Z",
        gate: .stated, seed: 1, roles: ["sdk"], jobs: 1, planned: 1, rerun: "conform run"))
    facts.add(
      .subject(
        .init(role: "sdk", subject: Subject(name: "acme", version: "1", capabilities: ["tickets"]), driving: .notShown))
    )
    facts.cases = 1
    facts.clocks = [.virtual]
    facts.evidence = ["some.case@plain.jsonl": "d16"]
    facts.passed = [.init(role: "sdk", dialect: instance.dialect)]
    facts.end = RunRecord.End(tally: Tally(), conclusion: Conclusion(.conformant), duration: 1)
    return facts
  }()

  private func shortcomings(_ change: (inout RecordFacts) -> Void = { _ in }) -> [String] {
    var facts = Self.facts
    change(&facts)
    return Self.tier.shortcomings(of: facts, in: Self.definition)
  }

  @Test func aWholeConformantRunQualifies() { #expect(shortcomings() == []) }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout RecordFacts) -> Void
  }

  static let rows = [
    Row(testDescription: "the sdk lacks 'tickets', which the tier 'conformant' needs") {
      $0.participants[0].subject.capabilities = ["tips"]
    },
    Row(testDescription: "the adapter of 'acme' answers without the SDK: CR-003") {
      $0.participants[0].driving = .answersWithout(["CR-003"], cases: 1)
    },
    Row(testDescription: "'acme' reported success for commands that do not exist") {
      $0.participants[0].subject.isHonest = false
    },
    Row(testDescription: "'acme' ran where its process cannot be killed, so cases that need that were not judged") {
      $0.participants[0].subject.lacks = [.kill]
    },
    Row(testDescription: "the run switched positions off: P-1") { $0.header.withoutPositions = ["P-1"] },
    Row(testDescription: "the run was narrowed with --case: run the whole suite") {
      $0.header.selection = ["--case", "a"]
    },
    Row(testDescription: "the run was narrowed with --profile: run the whole suite") {
      $0.header.selection = ["--profile", "core"]
    },
    Row(testDescription: "the run leaves out the dialect 'plain'") { $0.header.dialects = ["other"] },
    Row(testDescription: "the run had a baseline, 'b.yaml'") {
      $0.header.baseline = .init(file: "b.yaml", digest: "5f")
    },
    Row(testDescription: "the gate of the run is 'strict'; the tier 'conformant' needs 'stated'") {
      $0.header.gate = .strict
    },
    Row(testDescription: "cases ran with the clock 'real'; the tier 'conformant' needs 'virtual'") {
      $0.clocks = [.real]
    },
    Row(testDescription: "nothing passed for the role 'sdk' in the dialect 'plain'") { $0.passed = [] },
    Row(testDescription: "the record has no end: the run was killed") { $0.end = nil },
    Row(testDescription: "the run was interrupted") { $0.end?.wasInterrupted = true },
    Row(testDescription: "the record has evidence with a digest for 0 of 1 cases") { $0.evidence = ["a": nil] },
    Row(testDescription: "the conclusion of the run is 'not-conformant', not 'conformant'") {
      $0.end?.conclusion = Conclusion(.notConformant)
    },
  ]

  @Test(arguments: rows)
  func eachFlawIsOneReason(row: Row) { #expect(shortcomings(row.change) == [row.testDescription]) }

  /// A tier for the profile `core`, and runs of some profiles.
  @Test(arguments: [
    ([], []), (["core"], []), (["core", "more"], []), (["more"], ["the run leaves out the profile 'core'"]),
  ])
  func aTierForAProfileNeedsThisProfile(chosen: [String], reasons: [String]) {
    var (tier, facts) = (Self.tier, Self.facts)
    tier.profiles = ["core"]
    facts.header.selection = chosen.flatMap { ["--profile", $0] }
    #expect(tier.shortcomings(of: facts, in: Self.definition) == reasons)
  }

  @Test func anSDKThatIsShownToBeDrivenQualifies() {
    #expect(shortcomings { $0.participants[0].driving = .drives(cases: 3) } == [])
  }
}
