import CommandInterface
import ConformanceVerdict
import Files
import Processes
import Records

/// `--repeat` and `--watch`, with which one command performs several runs.
extension RunCommand {
  /// Performs several runs, each with its own output folder, and prints the verdicts that differ between them.
  func runRepeatedly() async throws {
    var records: [RunRecord] = []
    var codes: [ConformanceVerdict.ExitCode] = []
    for number in 1...repetitions {
      Terminal.error("conform: run \(number) of \(repetitions)\n")
      var one = self
      one.output = "\(output)/\(number)"
      codes.append(try await one.code())
      records.append(try RunRecord(readingFrom: "\(one.output)/\(ReportFiles.recordName)"))
      if try one.isInterrupted { break }
    }
    Terminal.output(.lines("\n" + RepeatedRuns(records).text))
    throw Finished(code: codes.first { $0 == .violations } ?? codes.first { $0 != .conformant } ?? .conformant)
  }

  /// Performs a run now and after each change of a file below the watched paths, until the command is interrupted. If
  /// the adapter does not start, the command goes on, since the author is probably changing the adapter.
  func runOnChanges() async throws {
    let own = [output, record, junit, html].compactMap(\.self)
    var seen = try FileTimes(below: watched, besides: own)
    while true {
      do {
        var one = self
        let code = try await one.code()
        if try isInterrupted { throw Finished(code: code) }
        Terminal.error("conform: \(code.rawValue) is the exit code; ")
      } catch let failure as ProgramFailure where failure.kind != .command {
        Terminal.error(.lines("conform: \(failure)\nconform: the run did not begin; "))
      }
      Terminal.error("waiting for a change (interrupt to end)\n")
      var now = seen
      while now == seen {
        try await Task.sleep(for: .milliseconds(300))
        now = try FileTimes(below: watched, besides: own)
      }
      Terminal.error("conform: \(now.changed(since: seen)) has changed\n")
      seen = now
    }
  }

  /// Whether the last run into the output folder was interrupted.
  private var isInterrupted: Bool {
    get throws {
      try RunRecord(readingFrom: record ?? "\(output)/\(ReportFiles.recordName)").end?.wasInterrupted != false
    }
  }

  /// Performs one run, and returns its exit code.
  private mutating func code() async throws -> ConformanceVerdict.ExitCode {
    do {
      try await runOnce()
      return .conformant
    } catch let finished as Finished {
      return finished.code
    }
  }
}
