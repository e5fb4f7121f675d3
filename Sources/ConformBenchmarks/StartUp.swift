import ConformanceModel
import Glibc
import JSONKit

/// How long it takes from the start of the process until the first case is in the record.
struct StartUp {
  static let figure = "start to the first case"

  private static let repetitions = 7

  private let testCase: RunRecord.CaseRun

  /// The case to run alone.
  init(first testCase: RunRecord.CaseRun) { self.testCase = testCase }

  func measurements() throws -> [Measurement] {
    let program = try Conform.path()
    let starts = try (0..<Self.repetitions).map { _ in try untilFirstCase(program).seconds }
    let nothing = try (0..<Self.repetitions).map { _ in try Child.run("/bin/true").1.seconds }
    return [
      Measurement(
        Self.figure, starts.median, "s", against: .init(name: "/bin/true, until it ends", value: nothing.median),
        target: .below(0.3))
    ]
  }

  /// The record is a pipe with a name: each of its lines is here when it is written.
  private func untilFirstCase(_ program: String) throws -> Duration {
    let folder = try ScratchFolder()
    let record = folder.path + "/record"
    guard mkfifo(record, 0o600) == 0 else { throw BenchFailure(system: "mkfifo \(record)") }
    // Without O_NONBLOCK this would wait for a writer, and for ever when the process ends before it is one.
    let pipe = open(record, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { throw BenchFailure(system: record) }
    defer { close(pipe) }
    let start = ContinuousClock.now
    let child = try Child(
      program,
      [
        "run", "--quiet", "--output", folder.path, "--record", record, "--role", testCase.role.rawValue, "--case",
        testCase.instance.name, "--dialect", testCase.instance.dialect.rawValue,
      ])
    defer {
      child.kill()
      _ = child.wait()
    }
    try Self.awaitCase(pipe, child)
    return ContinuousClock.now - start
  }

  private static func awaitCase(_ pipe: Int32, _ child: Child) throws(BenchFailure) {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var watched = [
        pollfd(fd: pipe, events: Int16(POLLIN), revents: 0), pollfd(fd: child.exit, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&watched, 2, 30_000) > 0 else { throw BenchFailure("'conform run' wrote no case in 30 seconds") }
      let count = read(pipe, &piece, piece.count)
      if count > 0 { text += piece[..<count] }
      if hasCase(text) { return }
      if count <= 0, watched[1].revents != 0 { throw BenchFailure("'conform run' ended without a case in its record") }
    }
  }

  /// Whether a whole line says that a case was performed.
  private static func hasCase(_ text: [UInt8]) -> Bool {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().contains { line in
      (try? JSON(parsing: line))?["record"]?.string == "case"
    }
  }
}
