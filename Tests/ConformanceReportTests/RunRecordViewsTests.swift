import ConformanceModel
import Testing

@testable import ConformanceReport

/// Cases finish in another order in each run; what is made of the record must not show it.
@Suite struct RunRecordViewsTests {
  @Test(arguments: JUnitReportTests.Run.allCases, UInt64(1)...4)
  func theOrderOfTheRecordIsInNoView(run: JUnitReportTests.Run, seed: UInt64) throws {
    let record = run.record
    var shuffled = record
    var random = SeededRandom(seed: seed)
    shuffled.cases.shuffle(using: &random)
    shuffled.rulings.shuffle(using: &random)
    try #require(shuffled != record)
    #expect(ConsoleReport.text(of: shuffled) == ConsoleReport.text(of: record))
    #expect(try JUnitReportTests.bytes(shuffled) == JUnitReportTests.bytes(record))
  }
}
