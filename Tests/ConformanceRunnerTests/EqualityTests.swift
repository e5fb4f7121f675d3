import ConformanceJudge
import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Testing

@testable import ConformanceRunner
@testable import Proof

/// A verdict depends on its own case only.
@Suite struct EqualityTests {
  /// The defects of Beacon's SDK, which a mutation or a switch of the adapter causes.
  @Test("verdicts are equal alone, filtered and whole")
  func verdictsAreEqualAloneFilteredAndWhole() async throws {
    let station = try await BeaconStation()
    let defects = station.catalogue.defects.filter { $0.side == "sdk" }
    #expect(defects.count > 3)
    var material = Proof.Material(
      judge: nil, references: [], defective: [], idle: [], variants: [], dialects: ["one"])
    material.equality = Proof.Equality(
      defects: defects.map { ($0, station.substitute($0.id.rawValue, "sdk", defect: $0.id)) },
      judge: Judge(catalogue: station.catalogue, checks: try station.pack.checks))
    let report = try await Proof(catalogue: station.catalogue, material: material, cores: 2).run { _, _, _ in }
    #expect(report.equality.map(\.defect) == defects.map(\.id).sorted())
    #expect(report.equality.flatMap(\.differences) == [])
    #expect((report.equalVerdicts?.all ?? 0) > defects.count * 10)
  }

  private static let violation = Verdict.Outcome.violates([Finding(subject: "x", expected: "1", observed: "2")])

  private static func result(_ outcome: Verdict.Outcome, of id: RequirementID = "P-ONE-001") throws -> CaseResult {
    let item = try Plan(catalogue: Sample.catalogue, selection: Selection(cases: ["send.table[a]"])).items[0]
    let header = TranscriptHeader(
      kit: "test", protocolName: "parcel", specRevision: "1", role: "sdk", instance: item.instance, clock: .real,
      epoch: 0, seed: 1, subjects: ["sdk": Subject(name: "s", version: "1")], bindings: [:])
    let verdict = Verdict(instance: item.instance, requirement: id, outcome: outcome, clock: .real)
    return CaseResult(
      testCase: item.testCase, transcript: Transcript(header: header, entries: []),
      settled: [.init(verdict: verdict, requirement: Sample.requirement(id), disposition: .pass)])
  }

  /// The outcome in the whole run, the outcome of the transcript alone, and whether they are equal.
  @Test(
    arguments: [
      (violation, violation, true), (.conforms, .conforms, true), (.unjudged(reason: "another case"), violation, false),
      (.unjudged(reason: "one"), .unjudged(reason: "two"), false), (violation, .conforms, false),
    ] as [(Verdict.Outcome, Verdict.Outcome, Bool)])
  func aVerdictOfTheWholeRunIsComparedWithTheTranscript(
    whole: Verdict.Outcome, alone: Verdict.Outcome, isEqual: Bool
  ) throws {
    var trial = EqualityTrial(defect: "d")
    try trial.compare([try Self.result(whole)]) { _ in [try Self.result(alone).settled[0].verdict] }
    #expect(trial.compared == 1)
    #expect(trial.differences.isEmpty == isEqual)
    var report = ProofReport(catalogue: Sample.catalogue)
    report.equality = [trial]
    #expect(report.holds == isEqual)
    #expect(report.equalVerdicts == .init(hits: isEqual ? 1 : 0, all: 1))
  }

  /// If a case is performed again, only the kind of the verdict counts. A missing verdict is a difference.
  @Test func aFilteredRunIsComparedByTheKindOfItsVerdicts() throws {
    let whole = [try Self.result(.unjudged(reason: "one"))]
    var trial = EqualityTrial(defect: "d")
    trial.compare([whole], "P-ONE-001", filtered: [[try Self.result(.unjudged(reason: "two"))]])
    #expect(trial.differences.isEmpty)
    trial.compare([whole], "P-ONE-001", filtered: [[try Self.result(Self.violation)]])
    trial.compare([whole], "P-ONE-001", filtered: [[try Self.result(Self.violation, of: "P-ONE-002")]])
    #expect(trial.differences.map(\.other) == ["violates", "no verdict"])
    #expect(trial.compared == 3)
  }

  /// A race has several outcomes in runs of each kind. If the two kinds have one outcome in common, nothing is shown.
  @Test(
    arguments: [
      ([violation, .conforms], [.conforms, .conforms], true), ([violation, violation], [.conforms, violation], true),
      ([violation, violation], [.conforms, .conforms], false),
      ([violation, .conforms], [.unjudged(reason: "x"), .notApplicable(reason: "y")], false),
    ] as [([Verdict.Outcome], [Verdict.Outcome], Bool)])
  func outcomesOfARaceAreNoDifference(whole: [Verdict.Outcome], filtered: [Verdict.Outcome], isEqual: Bool) throws {
    var trial = EqualityTrial(defect: "d")
    trial.compare(
      try whole.map { [try Self.result($0)] }, "P-ONE-001", filtered: try filtered.map { [try Self.result($0)] })
    #expect(trial.differences.isEmpty == isEqual)
    #expect(trial.compared == 1)
  }
}
