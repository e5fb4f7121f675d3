import CommandInterface
import ConformanceVerdict
import Files
import Records

/// More than one run by one command: `--repeat` and `--watch`.
extension RunCommand {
  /// Runs several times, each into a folder of its own, and prints the verdicts that differ.
  func runRepeatedly() async throws {
    var records: [RunRecord] = []
    var codes: [ConformanceVerdict.ExitCode] = []
    for number in 1...repetitions {
      Terminal.error("conform: run \(number) of \(repetitions)\n")
      var one = self
      one.output = "\(output)/\(number)"
      codes.append(try await one.code())
      records.append(try RunRecord(readingFrom: "\(one.output)/\(ReportFiles.recordName)"))
      if records.last?.end?.wasInterrupted != false { break }
    }
    Terminal.output(.lines("\n" + RepeatedRuns(records).text))
    throw Finished(code: codes.first { $0 == .violations } ?? codes.first { $0 != .conformant } ?? .conformant)
  }

  /// Runs, and again each time when a file below the watched paths has changed, until it is interrupted.
  func runOnChanges() async throws {
    var seen = try FileTimes(below: watched)
    while true {
      var one = self
      let code = try await one.code()
      Terminal.error("conform: \(code.rawValue) is the exit code; waiting for a change (interrupt to end)\n")
      var now = seen
      while now == seen {
        try await Task.sleep(for: .milliseconds(300))
        now = try FileTimes(below: watched)
      }
      Terminal.error("conform: \(now.changed(since: seen)) has changed\n")
      seen = now
    }
  }

  /// The exit code of one run.
  private mutating func code() async throws -> ConformanceVerdict.ExitCode {
    do {
      try await runOnce()
      return .conformant
    } catch let finished as Finished {
      return finished.code
    }
  }
}
