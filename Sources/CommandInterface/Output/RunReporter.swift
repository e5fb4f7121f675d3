import ConformanceModel
import ConformanceReport
import ConformanceRunner
import ConformanceSpec
import ConformanceTranscript
import ConformanceVerdict
import Files
import Processes
import Records
import ReportPages
import Synchronization

/// Writes the record and the evidence, and prints the console view, while a run goes on. Writes the JUnit view at the
/// end.
package final class RunReporter: Runner.Audience {
  private struct State {
    var recording: RunRecording
    var console: ConsoleReport
    /// The entries of the baseline that apply to the subjects of the run.
    var terms = BaselineTerms()
    /// The notes about the baseline.
    var notes: [String] = []
    /// The evidence files that the run has written. At the end, the run checks that they are unchanged.
    var evidence: [WrittenFile] = []
  }

  private let files: ReportFiles
  private let baseline: Baseline?
  /// The day of the run. Entries of the baseline that have expired on this day do not apply.
  private let day: String
  private let quiet: Bool
  private let definition: ProtocolDefinition
  private let writer: RunRecordWriter
  private let state: Mutex<State>
  private let redact: @Sendable (String) -> String
  private let limits: [CaseLimit]
  private let start = ContinuousClock.now

  package init(
    header: RunRecord.Header, baseline: Baseline?, files: ReportFiles, catalogue: Catalogue, quiet: Bool,
    cards: ConsoleReport.Cards, limits: [CaseLimit] = [],
    redact: @escaping @Sendable (String) -> String
  ) throws {
    self.redact = redact
    self.limits = limits
    self.files = files
    definition = catalogue.definition
    self.baseline = baseline
    day = header.day
    self.quiet = quiet
    writer = try RunRecordWriter(files.recordFile(), header: header)
    let style = ConsoleReport.Style(
      colours: Terminal.outputHasColours, isTerminal: Terminal.outputIsTerminal && !quiet, width: Terminal.width,
      cards: cards)
    state = Mutex(
      State(
        recording: RunRecording(header: header, catalogue: catalogue), console: ConsoleReport(style: style)))
    tell(.run(header))
    let expired = baseline?.entries.filter { $0.isExpired(on: header.day) } ?? []
    state.withLock { $0.notes = expired.map(\.expiry) }
  }

  /// Reports the subjects. Returns the entries of the baseline that apply to them.
  package func introduce(_ participants: [RunRecord.Participant]) throws -> BaselineTerms {
    for participant in participants.sorted(by: { $0.role < $1.role }) { try writeAndTell(.subject(participant)) }
    let terms = baseline.map { BaselineTerms($0, on: day, for: participants.map(\.subject)) } ?? BaselineTerms()
    state.withLock { $0.terms = terms }
    return terms
  }

  package func doubt(_ doubt: RunRecord.Doubt) throws {
    let line = state.withLock { $0.recording.line(for: doubt) }
    try writeAndTell(line)
  }

  package func result(_ result: CaseResult) throws {
    let evidence = try files.evidenceFile(of: result.instance)
    let bytes = try TranscriptFile.write(result.transcript, to: evidence)
    let file = RunRecording.EvidenceFile(path: evidence.path, digest: Digest.of(bytes))
    let lines = state.withLock { state in
      if let written = evidence.written { state.evidence.append(written) }
      state.notes += result.settled.compactMap { state.terms.disagreement(with: $0) }
      return state.recording.lines(for: result, evidence: file)
    }
    for line in lines { try writeAndTell(line) }
    for limit in limits { limit.count(result) }
  }

  /// Whether a limit for cases has stopped the run.
  package var isStopped: Bool { limits.contains(where: \.isReached) }

  /// Sets the closure that stops the run when a limit for cases is reached.
  package func onStop(_ stop: @escaping @Sendable () -> Void) { for limit in limits { limit.onReached(stop) } }

  /// Ends the record, writes the JUnit view, prints the conclusion, and returns the exit code.
  ///
  /// - Parameter problem: the failed write that stopped the run; nil if no write failed.
  package func finish(wasInterrupted: Bool, stoppedBy problem: FileProblem? = nil) throws -> ExitCode {
    files.releaseReserve()
    var isShort = false
    let end = try writer.finish(lastLine(wasInterrupted, problem)) {
      try writeJUnit()
    } orElse: {
      isShort = true
      return lastLine(wasInterrupted, $0)
    }
    // If the short form cannot be written either, no error follows: the record and the conclusion report the first
    // failure.
    if isShort { try? writeJUnit(isShort: true) }
    tell(.end(end))
    Terminal.output(.view(state.withLock { $0.console.conclusion() }, isStyled: Terminal.outputIsTerminal))
    let code = expectPage(expectWritten(end))
    if !quiet { tellFiles() }
    return code
  }

  /// Prints the paths of all files, and the command that shows the report in a browser.
  private func tellFiles() {
    Terminal.output("\nrecord \(files.record) · JUnit \(files.junit) · evidence \(files.evidence)/\n")
    let command = "conform report \(files.record.quotedForShell) --html \(files.page.quotedForShell)"
    Terminal.output(files.html.map { "page for a browser: \($0)\n" } ?? "page for a browser: \(command)\n")
  }

  /// Writes the HTML page if an option names it. If that fails, a conforming run ends with the exit code for
  /// *unjudged*.
  private func expectPage(_ code: ExitCode) -> ExitCode {
    guard let html = files.html else { return code }
    do {
      let evidence = EvidenceFolder(record: files.record)
      try HTMLReport(writer.record, definition: definition, evidence: evidence.transcript).write(to: html)
      return code
    } catch {
      Terminal.error("conform: the page is not written: \(error)\n")
      return code == .conformant ? .unjudged : code
    }
  }

  /// The exit code of a run. Checks that the finished record contains only the lines of this run. If another program
  /// has changed the record, prints a message, and a conforming run ends with the exit code for *unjudged*. The record
  /// itself cannot contain the result of this check.
  private func expectWritten(_ end: RunRecord.End) -> ExitCode {
    guard let damage = writer.written?.damage else { return end.exitCode }
    Terminal.error("conform: the record is not what was written: \(damage)\n")
    return end.exitCode == .conformant ? .unjudged : end.exitCode
  }

  /// A sentence about the files of the report that were changed during the run; nil if no file was changed.
  private var damage: String? {
    let files = [writer.written].compactMap(\.self) + state.withLock(\.evidence)
    let damages = files.compactMap(\.damage)
    guard !damages.isEmpty else { return nil }
    let more = damages.count > 3 ? ", and \(damages.count - 3) more" : ""
    return "the report was changed while it was written: \(damages.prefix(3).joined(separator: ", "))\(more)"
  }

  private func lastLine(_ wasInterrupted: Bool, _ problem: (any Error)?) -> RunRecord.End {
    let log = IncidentLog.shared
    let incidents =
      (problem.map { ["the report could not be written as a whole: \($0)"] } ?? []) + [damage].compactMap(\.self)
      + log.breaches
    return state.withLock { state in
      state.recording.end(
        wasInterrupted: wasInterrupted, after: ContinuousClock.now - start,
        notes: state.notes.sorted() + limits.compactMap(\.note) + log.remarks.map(redact),
        incidents: incidents.map(redact))
    }
  }

  /// Writes the JUnit view. If the disk is full, the short form is written, which contains only the result of the run.
  private func writeJUnit(isShort: Bool = false) throws {
    var record = writer.record
    if isShort { (record.cases, record.rulings) = ([], []) }
    try JUnitReport(record, options: files.junitOptions).write(to: files.junitFile())
  }

  private func writeAndTell(_ line: RunRecord.Line) throws {
    try writer.write(line)
    tell(line)
  }

  private func tell(_ line: RunRecord.Line) {
    state.withLock { state in
      let text = state.console.text(for: line, after: ContinuousClock.now - start)
      if !quiet, !text.isEmpty { Terminal.output(.view(text, isStyled: Terminal.outputIsTerminal)) }
    }
  }
}
