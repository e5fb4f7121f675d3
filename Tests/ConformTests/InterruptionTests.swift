import ConformanceVerdict
import Foundation
import Programs
import Testing

@testable import CommandInterface
@testable import ConformanceReport

/// Ctrl-C and other requests for an end. The adapter sends the signal, so that it comes at a known moment.
@Suite struct InterruptionTests {
  /// The signals that ask for an end.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private static func interrupting(_ command: String, by signal: Int32 = SIGINT) -> String {
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    def work(id, method, params):
        if method != "\(command)": return False
        os.kill(kit(), \(signal))
        stay()
    """
  }

  @Test(arguments: signals) func inTheMiddleOfARunWhatIsThereIsReported(signal: Int32) async throws {
    let folder = try Scratch()
    let conform = Command(in: folder)
    let sdk = try PythonAdapter.write(Self.interrupting("initialize", by: signal), to: folder)
    let result = try await conform(
      "run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--jobs", "1")
    #expect(result.code == 3)
    #expect(result.errors.contains("stopping; cases under way are given up (interrupt again to end at once)"))
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

  /// The JUnit file is a full pipe, whose other end is open but not read.
  @Test(arguments: signals) func whileItWaitsForAReaderOfItsFileTheRecordIsValid(signal: Int32) async throws {
    let folder = try Scratch()
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    let pipe = open(folder.file("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { close(pipe) }
    Self.fill(pipe)
    let run = try Command(in: folder).start(Self.run + ["--junit", "pipe"])
    try await Self.send(signal, to: run, when: #""record":"end""#, in: folder)
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.cases.count == 1)
    #expect(record.conclusion.reasons.contains { $0.contains("cannot write 'pipe'") }, "\(record.conclusion.reasons)")
    #expect(record.end?.conclusion.exitCode == .unjudged)
  }

  /// Standard output and standard error are one full pipe, which is not read.
  @Test(arguments: signals) func whileItWaitsForAReaderOfItsOutputTheRecordIsValid(signal: Int32) async throws {
    let folder = try Scratch()
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    let end = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(end, F_GETFL)
    _ = fcntl(end, F_SETFL, flags | O_NONBLOCK)
    Self.fill(end)
    _ = fcntl(end, F_SETFL, flags)
    let run = try Command(in: folder).start(Self.run, output: .pipe(pipe), errors: .pipe(pipe))
    try await Self.send(signal, to: run, when: #""record":"run""#, in: folder)
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.end?.wasInterrupted == true)
  }

  /// Work that ignores cancellation is ended all the same, as by a second signal.
  @Test(.timeLimit(.minutes(1))) func whatDoesNotFinishIsEnded() async {
    await #expect(processExitsWith: .exitCode(130)) {
      _ = try await Interruption.watch(telling: "stopping", patience: .milliseconds(1)) {
        kill(getpid(), SIGTERM)
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
  }

  /// timeout(1) signals its child and then its group.
  @Test(.timeLimit(.minutes(1)), arguments: [0, 50, 300])
  func countsSignalsWithinASecondAsOne(pause: Int) async {
    await #expect(processExitsWith: .exitCode(0)) { [pause] in
      let wasInterrupted = try await Interruption.watch(telling: "stopping") {
        kill(getpid(), SIGTERM)
        try? await Task.sleep(for: .seconds(600))
        // The work still writes its report when the second signal comes.
        usleep(UInt32(pause) * 1000)
        kill(getpid(), SIGTERM)
        usleep(200_000)
        throw CancellationError()
      }
      exit(wasInterrupted ? 0 : 1)
    }
  }

  @Test(.timeLimit(.minutes(1))) func endsAtOnceOnASignalAfterTheSecond() async {
    await #expect(processExitsWith: .exitCode(130)) {
      _ = try await Interruption.watch(telling: "stopping") {
        kill(getpid(), SIGTERM)
        try? await Task.sleep(for: .seconds(600))
        usleep(1_200_000)
        kill(getpid(), SIGTERM)
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
  }

  private static let run = ["run", "--case", "server.health.status", "--dialect", "spec"]

  /// Writes to a pipe until it is full.
  private static func fill(_ pipe: Int32) {
    for room in [4096, 1] {
      while write(pipe, [UInt8](repeating: 0x20, count: room), room) > 0 {}
    }
  }

  /// Sends a signal to a run as soon as its record contains a text, and waits for its end.
  private static func send(_ signal: Int32, to run: StartedProgram, when text: String, in folder: Scratch) async throws
  {
    while run.isRunning, (try? folder.text("conform-report/run.jsonl"))?.contains(text) != true {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(run.isRunning)
    run.signal(signal)
    #expect(await run.ending == .exited(code: 3))
  }
}
