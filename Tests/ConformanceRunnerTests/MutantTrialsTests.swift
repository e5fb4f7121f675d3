import ConformanceJudge
import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import ConformanceRunner
@testable import Proof

@Suite struct MutantTrialsTests {
  /// Judges that one parcel is sent, with the id 7; nothing asks for its colour.
  private static func judge(_ equivalent: [EquivalentMutant]) throws -> Judge {
    var catalogue = Sample.catalogue
    let selector = Selector(.request(exchange: "parcel"), filter: try Template(["body": ["id": 7]]))
    let claim = Claim(requirement: "P-ONE-001", assertion: .count(selector, is: try Template(1)))
    catalogue = Catalogue(
      definition: catalogue.definition, requirements: catalogue.requirements, positions: [],
      cases: [
        Case(
          id: "send.plain", title: "One", role: "sdk", dialects: ["plain"],
          scenarios: [Case.Scenario(steps: [], claims: [claim])])
      ],
      exchanges: [
        Exchange(
          name: "parcel", text: "", service: "main",
          request: .init(method: "POST", path: try Template("/parcels")))
      ], models: [:], defects: [], equivalentMutants: equivalent)
    return Judge(catalogue: catalogue, checks: [:])
  }

  private static func result(_ judge: Judge) throws -> CaseResult {
    let item = try Plan(catalogue: judge.catalogue, selection: Selection()).items[0]
    let header = TranscriptHeader(
      kit: "test", protocolName: "parcel", specRevision: "1", role: "sdk", instance: item.instance, clock: .virtual,
      epoch: 0, seed: 1, subjects: ["sdk": Subject(name: "s", version: "1")], bindings: [:])
    let body: JSON = ["id": 7, "colour": "red"]
    let request = RequestRecord(
      connection: 1, line: "POST /parcels HTTP/1.1", headers: [:], body: Octets(body.compactText.utf8),
      exchange: "parcel")
    let events: [TranscriptEntry.Event] = [.request(upstream: "main", request), .end(.init(.completed))]
    let transcript = Transcript(
      header: header,
      entries: events.enumerated().map { TranscriptEntry(number: $0 + 1, at: .zero, event: $1) })
    let settled = try judge.verdicts(for: transcript).map {
      SettledVerdict(verdict: $0, requirement: Sample.requirement($0.requirement), disposition: .pass)
    }
    return CaseResult(testCase: item.testCase, transcript: transcript, settled: settled)
  }

  private static func report(explaining equivalent: [EquivalentMutant]) async throws -> ProofReport {
    let judge = try judge(equivalent)
    var report = ProofReport(catalogue: judge.catalogue)
    report.reasons = equivalent
    let trials = MutantTrials(judge: judge, reasons: equivalent, results: [try result(judge)])
    report.mutants = try await trials.run(jobs: 2)
    return report
  }

  @Test func whatAClaimAsksForIsNoticedAndTheRestIsNot() async throws {
    let report = try await Self.report(explaining: [])
    let noticed = report.mutants.filter { $0.killer?.requirement == "P-ONE-001" }.map { "\($0.kind)" }
    let id = ["altered", "removed", "renamed", "retyped"].map { "request parcel body.id \($0)" }
    #expect(
      noticed == ["request parcel body removed", "request parcel body retyped"] + id + [
        "request parcel doubled", "request parcel lost", "request parcel method altered", "request parcel path altered",
      ])
    let unnoticed = report.unexplainedMutants.map { "\($0.kind)" }
    #expect(unnoticed == ["altered", "removed", "renamed", "retyped"].map { "request parcel body.colour \($0)" })
    #expect(!report.holds)
    #expect(report.mutantKillRate == .init(hits: noticed.count, all: noticed.count + 4))
  }

  @Test func aReasonCoversWhatSurvives() async throws {
    let report = try await Self.report(explaining: [.init(pattern: "request * body.colour *", reason: "It is free.")])
    #expect(report.unexplainedMutants.isEmpty)
    #expect(report.staleExplanations.isEmpty)
    #expect(report.holds)
  }

  @Test(arguments: ["request parcel body.id altered", "request letter lost"])
  func aReasonForNothingIsStale(pattern: String) async throws {
    let free = EquivalentMutant(pattern: "request * body.colour *", reason: "It is free.")
    let stale = EquivalentMutant(pattern: pattern, reason: "It is not.")
    let report = try await Self.report(explaining: [free, stale])
    #expect(report.staleExplanations == [stale])
    #expect(!report.holds)
  }
}
