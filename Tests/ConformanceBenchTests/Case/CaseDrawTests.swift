import ConformanceModel
import Testing

@testable import ConformanceBench

/// The draw of a case from the seed of its run.
@Suite struct CaseDrawTests {
  private static func instance(_ number: Int) -> CaseInstance {
    CaseInstance(id: "notes", row: "\(number)", dialect: "one")
  }

  @Test func aCaseDrawsTheSameInEachRunWithTheSameSeed() {
    #expect(CaseDraw(Self.instance(1), seed: 7) == CaseDraw(Self.instance(1), seed: 7))
    #expect(CaseDraw(Self.instance(1), seed: 7) != CaseDraw(Self.instance(1), seed: 8))
    #expect(CaseDraw(Self.instance(1), seed: 7).seed != CaseDraw(Self.instance(2), seed: 7).seed)
  }

  @Test func casesReachEveryKindOfInstant() {
    let wanted = 7
    #expect(CaseDraw.instants.count == wanted)
    let days = Set((0..<300).map { CaseDraw(Self.instance($0), seed: 1).epoch / 20_000 })
    #expect(days.count > wanted, "each of them, and the minute before the clocks are changed")
    let milliseconds = Set((0..<300).map { CaseDraw(Self.instance($0), seed: 1).epoch % 1000 })
    #expect(milliseconds.isSuperset(of: [0, 5, 50, 70, 999]))
  }
}
