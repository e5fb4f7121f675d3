import ConformanceModel
import ConformanceVerdict
import JSONKit
import Testing

@testable import ConformanceReport

/// The progress of a run.
extension ConsoleReportTests {
  @Test func withoutATerminalTenthsOfALongPlanAreTold() {
    var report = ConsoleReport()
    var header = Sample.header
    header.planned = 200
    _ = report.text(for: .run(header))
    let texts = (1...200).map { _ in report.text(for: .testCase(Sample.record.cases[0])) }.filter { !$0.isEmpty }
    #expect(texts == (1...10).map { "\("\($0 * 10)".aligned(to: 3)) %, \($0 * 20) of 200 cases\n" })
  }

  @Test func aTerminalHasAProgressLineThatIsDrawnOver() {
    var report = ConsoleReport(style: .init(isTerminal: true))
    let texts = Sample.record.lines.map { report.text(for: $0) }
    #expect(texts[2] == "\r\u{1B}[K 20 %, 1 of 5 cases")
    #expect(texts[8].hasPrefix("\r\u{1B}[KSTALE  PA-POST-002"))
    #expect(texts[8].hasSuffix("\n\r\u{1B}[K100 %, 5 of 5 cases, 1 failed"))
    #expect(report.conclusion().hasPrefix("\r\u{1B}[KFAIL  PA-QUEUE-001"))
  }

  @Test func progressTellsHowLongItTookAndAboutHowLongItWillTake() {
    var report = ConsoleReport(style: .init(isTerminal: true))
    _ = report.text(for: .run(Sample.header))
    let texts = zip(Sample.record.cases, [0, 2, 6, 8, 10]).map { run, seconds in
      report.text(for: .testCase(run), after: .seconds(seconds)).split(separator: "K").last
    }
    #expect(
      texts == [
        " 20 %, 1 of 5 cases", " 40 %, 2 of 5 cases, 2 s, about 3 s left", " 60 %, 3 of 5 cases, 6 s, about 4 s left",
        " 80 %, 4 of 5 cases, 8 s, about 2 s left", "100 %, 5 of 5 cases, 10 s",
      ])
  }

  @Test func progressTellsWhatIsInDoubt() {
    var report = ConsoleReport(style: .init(isTerminal: true))
    _ = report.text(for: .run(Sample.header))
    let run = Sample.record.cases[0]
    let doubt = report.text(for: .doubt(.init(instance: run.instance, reason: "a busy machine")))
    #expect(doubt.hasSuffix("  0 %, 0 of 5 cases, 1 in doubt"))
    #expect(report.text(for: .testCase(run)).hasSuffix(" 20 %, 1 of 5 cases"))
  }
}
