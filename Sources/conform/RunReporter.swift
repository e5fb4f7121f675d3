import ConformanceModel
import ConformanceReport
import ConformanceRunner
import FoundationEssentials
import Synchronization

/// Writes down a run as it goes: the record and the evidence to files, the console view to stdout, JUnit at the end.
final class RunReporter: Runner.Audience {
  private struct State {
    var console: ConsoleReport
    var tally = Tally()
  }

  private let header: RunRecord.Header
  private let files: ReportFiles
  private let definition: ProtocolDefinition
  private let quiet: Bool
  private let writer: RunRecordWriter
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  init(header: RunRecord.Header, files: ReportFiles, definition: ProtocolDefinition, quiet: Bool) throws {
    self.header = header
    self.files = files
    self.definition = definition
    self.quiet = quiet
    writer = try RunRecordWriter(files.record, header: header)
    let style = ConsoleReport.Style(
      colours: Terminal.outputHasColours, isTerminal: Terminal.outputIsTerminal && !quiet, width: Terminal.width)
    state = Mutex(State(console: ConsoleReport(style: style)))
    tell(.run(header))
  }

  func introduce(_ subject: Subject) throws {
    try writer.write(.subject(subject))
    tell(.subject(subject))
  }

  func result(_ result: CaseResult) throws {
    let evidence = files.evidence(of: result.item.instance)
    try TranscriptFile.write(result.transcript, to: evidence)
    var lines: [RunRecord.Line] = [.testCase(caseRun(result, evidence: evidence))]
    for settled in result.settled { lines.append(.verdict(ruling(settled, result))) }
    for line in lines {
      try writer.write(line)
      tell(line)
    }
    state.withLock { state in
      for settled in result.settled { state.tally.add(settled.disposition) }
    }
  }

  /// Ends the record, writes the JUnit view, prints the conclusion, and says how it all went.
  func finish(wasInterrupted: Bool) throws -> ExitCode {
    let tally = state.withLock(\.tally)
    let code = tally.exitCode(wasInterrupted: wasInterrupted)
    let end = RunRecord.End(
      counts: tally.counts, exitCode: code, wasInterrupted: wasInterrupted,
      duration: (ContinuousClock.now - start).milliseconds)
    try writer.finish(end)
    tell(.end(end))
    Terminal.output(state.withLock { $0.console.conclusion() })
    try JUnitReport(RunRecord(readingFrom: files.record)).write(to: files.junit)
    if !quiet { Terminal.output("\nrecord \(files.record) · JUnit \(files.junit) · evidence \(files.evidence)/\n") }
    return code
  }

  private func tell(_ line: RunRecord.Line) {
    state.withLock { state in
      let text = state.console.text(for: line)
      if !quiet, !text.isEmpty { Terminal.output(text) }
    }
  }

  private func caseRun(_ result: CaseResult, evidence: String) -> RunRecord.CaseRun {
    let item = result.item
    return RunRecord.CaseRun(
      instance: item.instance, title: item.testCase.title, role: item.testCase.role, file: item.testCase.file,
      line: item.testCase.line, duration: result.wall.milliseconds,
      ownDuration: max(.zero, result.wall - result.waited).milliseconds, clock: result.transcript.header.clock,
      ending: result.transcript.ending ?? .init(.kitError, "the transcript has no end"), evidence: evidence)
  }

  private func ruling(_ settled: CaseResult.Settled, _ result: CaseResult) -> RunRecord.Ruling {
    var entries: [Int] = []
    if case .violates(let findings) = settled.verdict.outcome { entries = findings.flatMap(\.entries) }
    let excerpt =
      settled.disposition == .pass || settled.disposition == .skipped
      ? [] : TranscriptExcerpt().lines(of: result.transcript, around: entries)
    return RunRecord.Ruling(
      verdict: settled.verdict, disposition: settled.disposition, rule: .init(settled.requirement, in: definition),
      rerun: header.rerun(result.item.instance, settled.verdict.requirement), excerpt: excerpt)
  }
}

extension Duration {
  /// The span in milliseconds, to the microsecond.
  var milliseconds: Double {
    let parts = components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds / 1_000_000_000_000) / 1000
  }
}

extension Timestamp {
  /// The present.
  static var now: Timestamp { Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1000)) }
}
