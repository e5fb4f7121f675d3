import ConformanceModel
import ConformanceReport
import Foundation
import Testing

/// Ctrl-C, sent by the adapter itself so that it comes at a known moment.
@Suite struct InterruptionTests {
  private static func interrupting(_ command: String) -> String {
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    def work(id, method, params):
        if method != "\(command)": return False
        os.kill(kit(), signal.SIGINT)
        stay()
    """
  }

  @Test func inTheMiddleOfARunWhatIsThereIsReported() async throws {
    let folder = try Scratch()
    let conform = Command(in: folder)
    let sdk = try PythonAdapter.write(Self.interrupting("initialize"), to: folder)
    let result = try await conform(
      "run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--jobs", "1")
    #expect(result.code == 3)
    #expect(result.errors.contains("stopping; cases under way are given up (once more ends at once)"))
    #expect(result.output.contains("INCOMPLETE: the run was interrupted after 1 of 3 cases"))

    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.end?.wasInterrupted == true)
    #expect(record.end?.conclusion.exitCode == .unjudged)
    #expect(record.cases.map(\.ending.kind) == [.interrupted])
    let junit = try folder.text("conform-report/junit.xml")
    #expect(try JUnitReport.schema().problems(in: Array(junit.utf8)).isEmpty)
    #expect(junit.contains("the run was interrupted after 1 of 3 cases"))
    #expect(try await conform("report", "conform-report/run.jsonl").code == 3)
    try PythonAdapter.expectNoneLeft(in: folder)
  }

  @Test func beforeTheRunNothingIsWritten() async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write(Self.interrupting("hello"), to: folder)
    let result = try await Command(in: folder)("run", "--sdk", sdk, "--case", "config.base-url.malformed")
    #expect(result.code == 3)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("conform: stopping"))
    #expect(try folder.names() == ["adapter.py", "pids"])
    try PythonAdapter.expectNoneLeft(in: folder)
  }
}
