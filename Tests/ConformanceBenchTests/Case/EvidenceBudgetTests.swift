import ConformanceTranscript
import HTTPValues
import Testing

@testable import Recording

/// The limits of evidence: a case over a limit ends there, with that reason.
@Suite struct EvidenceBudgetTests {
  private static func piece(_ count: Int) -> TranscriptEntry.Event {
    .output(Octets([UInt8](repeating: 0x20, count: count)))
  }

  private func recorder(_ budget: EvidenceBudget) -> Recorder {
    Recorder(redact: Redaction(), budget: budget) { .zero }
  }

  @Test func aCaseKeepsWhatItMayAndSaysWhereItEnds() {
    let recorder = recorder(EvidenceBudget(caseBytes: 10_000))
    for _ in 0..<100 { recorder.record(Self.piece(1000)) }
    recorder.record(.end(.init(.completed)))
    let entries = recorder.entries
    #expect(entries.count == 9)
    guard case .end(let ending)? = entries.last?.event else {
      Issue.record("\(entries)")
      return
    }
    #expect(ending == .init(.evidenceLimit, "the evidence ends here, since that of a case may hold 10000 bytes"))
  }

  @Test func smallEntriesCountToo() {
    let recorder = recorder(EvidenceBudget(caseBytes: 10_000))
    for _ in 0..<1000 { recorder.record(.clock(.zero)) }
    #expect(recorder.entries.count < 100)
    #expect(recorder.stop?.kind == .evidenceLimit)
  }

  @Test func casesUnderWayShareARoomAndGiveItBack() {
    let budget = EvidenceBudget(caseBytes: 10_000, heldBytes: 10_000)
    do {
      let first = recorder(budget)
      first.record(Self.piece(8000))
      let second = recorder(budget)
      second.record(Self.piece(8000))
      #expect(first.stop == nil)
      #expect(second.stop?.text.contains("all cases under way may hold 10000 bytes") == true)
    }
    let third = recorder(budget)
    third.record(Self.piece(8000))
    #expect(third.stop == nil)
  }

  @Test func aRunHasABoundThatNobodyGivesBack() {
    let budget = EvidenceBudget(runBytes: 10_000)
    for _ in 0..<3 { recorder(budget).record(Self.piece(3000)) }
    let last = recorder(budget)
    last.record(Self.piece(3000))
    #expect(last.stop?.text.contains("a run may hold 10000 bytes") == true)
  }
}
