import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Templates
import Testing

@testable import Records

@Suite struct RunRecordingTests {
  private static let definition = ProtocolDefinition(
    name: "parcel", title: "Parcel", document: "D", revision: "1", services: [],
    roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec"],
    features: [.init(number: 1, name: "Posting"), .init(number: 2, name: "Queue")])

  private static let catalogue = Catalogue(
    definition: definition, requirements: [], positions: [], cases: [], exchanges: [], models: Template.Models(),
    defects: [])

  private static func settled(
    _ id: RequirementID, _ outcome: Verdict.Outcome, _ disposition: Disposition
  ) -> SettledVerdict {
    SettledVerdict(
      verdict: Verdict(instance: Sample.full, requirement: id, outcome: outcome, clock: .virtual),
      requirement: Requirement(
        id: id, role: "sdk", feature: 2, level: .must, basis: .stated,
        source: .init(document: "D", section: "1", revision: "1"), text: "A rule."),
      disposition: disposition)
  }

  private static func result(_ settled: [SettledVerdict], entries: [TranscriptEntry.Event]) -> CaseResult {
    let header = TranscriptHeader(
      kit: "conform 0.1.0", protocolName: "parcel", specRevision: "1", role: "sdk", instance: Sample.full,
      clock: .virtual, epoch: 0, seed: 7, subjects: ["sdk": Sample.subject], bindings: [:])
    let transcript = Transcript(
      header: header,
      entries: entries.enumerated().map { TranscriptEntry(number: $0 + 1, at: .zero, event: $1) })
    let testCase = Case(
      id: Sample.full.id, title: "A title", role: "sdk", dialects: ["spec"], scenarios: [], digest: "9c04",
      file: "cases/queue.yaml", line: 12)
    return CaseResult(
      testCase: testCase, transcript: transcript, settled: settled, wall: .microseconds(12_500),
      waited: .microseconds(11_250))
  }

  @Test func aResultIsItsRunAndThenItsVerdicts() throws {
    var recording = RunRecording(header: Sample.header, catalogue: Self.catalogue)
    let violation = Verdict.Outcome.violates([Finding(subject: "x", expected: "1", observed: "2", entries: [1])])
    let lines = recording.lines(
      for: Self.result(
        [
          Self.settled("PA-QUEUE-001", violation, .fail), Self.settled("PA-QUEUE-002", .conforms, .pass),
          Self.settled("PA-QUEUE-003", .unjudged(reason: "r"), .error),
        ], entries: [.breach("no JSON"), .end(.init(.completed))]),
      evidence: .init(path: "evidence/a.jsonl", digest: "d16"))
    let run = RunRecord.CaseRun(
      instance: Sample.full, title: "A title", role: "sdk", file: "cases/queue.yaml", line: 12, duration: 12.5,
      ownDuration: 1.25, clock: .virtual, ending: .init(.completed), evidence: "evidence/a.jsonl",
      evidenceDigest: "d16", caseDigest: "9c04", verdicts: 3)
    #expect(lines.count == 4)
    #expect(lines[0] == .testCase(run))
    let rulings = lines.dropFirst().compactMap { line in if case .verdict(let ruling) = line { ruling } else { nil } }
    #expect(rulings.map(\.disposition) == [.fail, .pass, .error])
    #expect(rulings[0].rule.feature?.name == "Queue")
    #expect(rulings[0].rerun == Sample.header.rerun(Sample.full, "PA-QUEUE-001"))
    let story = ["  at the start", "     #1 adapter protocol broken: no JSON"]
    // A passed rule has no step-by-step account.
    #expect(rulings.map(\.story) == [["> at the start", story[1]], [], story])
    #expect(recording.account.tally == [.fail: 1, .pass: 1, .error: 1])
    #expect(
      recording.end(wasInterrupted: true, after: .milliseconds(30), notes: ["n"])
        == .init(
          tally: recording.account.tally,
          conclusion: Conclusion(.notConformant, ["the run was interrupted after 1 of 5 cases"]), notes: ["n"],
          wasInterrupted: true, duration: 30))
  }

  /// An advisory violation is ordinary if the reference showed the same shape, whatever the values are.
  @Test(arguments: [
    (Disposition.advisory, "requests", "3", true), (.advisory, "requests", "4", true),
    (.advisory, "responses", "3", false), (.fail, "requests", "3", false),
  ])
  func whatTheReferenceShowsTooIsOrdinary(
    disposition: Disposition, subject: String, observed: String, isOrdinary: Bool
  ) {
    func findings(_ subject: String, _ observed: String) -> [Finding] {
      [Finding(subject: subject, expected: "2", observed: observed, entries: [1])]
    }
    var settled = Self.settled("PA-QUEUE-001", .violates(findings(subject, observed)), disposition)
    settled.requirement.ordinary = [findings("requests", "3").shape]
    let ruling = RunRecording(header: Sample.header, catalogue: Self.catalogue).ruling(
      settled, of: Self.result([], entries: []).transcript)
    #expect(ruling.isOrdinary == isOrdinary)
  }

  @Test func aTranscriptWithoutAnEndIsAFaultOfTheKit() {
    var recording = RunRecording(header: Sample.header, catalogue: Self.catalogue)
    guard case .testCase(let run)? = recording.lines(for: Self.result([], entries: []), evidence: nil).first else {
      return #expect(Bool(false), "the first line is not that of the case")
    }
    #expect(run.ending.kind == .kitError)
    #expect(run.evidence == nil)
    #expect(recording.end(wasInterrupted: false, after: .zero).conclusion.word == .incomplete)
  }
}
