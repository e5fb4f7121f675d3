import ConformanceVerdict
import Foundation
import Glibc
import JSONKit

/// The time from the start of a process until its record contains the first case.
struct StartUp {
  static let figure = "start to the first case"

  private static let repetitions = 7

  private let testCase: RunRecord.CaseRun

  /// - Parameter testCase: the case that the measured run executes. It executes no other case.
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

  /// Measures one run. Reads the record each time the system reports a change in its folder.
  private func untilFirstCase(_ program: String) throws -> Duration {
    let folder = try ScratchFolder()
    let changes = inotify_init1(0)
    guard changes >= 0, inotify_add_watch(changes, folder.path, UInt32(IN_MODIFY)) >= 0 else {
      throw BenchFailure(system: "inotify of \(folder.path)")
    }
    defer { close(changes) }
    let record = folder.path + "/record"
    let start = ContinuousClock.now
    let child = try Child(
      program,
      [
        "run", "--quiet", "--output", folder.path + "/report", "--record", record, "--role", testCase.role.rawValue,
        "--case", testCase.instance.name, "--dialect", testCase.instance.dialect.rawValue,
      ])
    defer {
      child.kill()
      _ = child.wait()
    }
    try Self.awaitCase(in: record, changes, child)
    return ContinuousClock.now - start
  }

  private static func awaitCase(in record: String, _ changes: Int32, _ child: Child) throws(BenchFailure) {
    var events = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      var watched = [changes, child.exit].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&watched, 2, 30_000) > 0 else { throw BenchFailure("'conform run' wrote no case in 30 seconds") }
      if hasCase(in: record) { return }
      if watched[1].revents != 0 { throw BenchFailure("'conform run' ended without a case in its record") }
      _ = read(changes, &events, events.count)
    }
  }

  /// Whether the record contains a complete line about a case.
  private static func hasCase(in record: String) -> Bool {
    let text = FileManager.default.contents(atPath: record) ?? Data()
    return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().contains { line in
      (try? JSON(parsing: [UInt8](line)))?["record"]?.string == "case"
    }
  }
}
