import ConformanceModel
import ConformanceReport

/// A run of the references against each other, as a process of its own: what users wait for.
struct ReferenceRun {
  /// The record of the last repetition.
  let record: RunRecord
  /// How long the middle repetition took, in seconds.
  let wall: Double
  /// How much memory the middle repetition held at most, its adapters counted one by one, in megabytes.
  let peak: Double

  /// Runs `conform run` with these options a few times.
  init(_ options: [String], repetitions: Int = 1) throws {
    let program = try Conform.path()
    var runs: [(ending: Child.Ending, wall: Duration, record: RunRecord)] = []
    for _ in 0..<max(1, repetitions) {
      // A folder of its own each time: a file system may be slow where many files were just deleted.
      let folder = try ScratchFolder()
      let (ending, wall) = try Child.run(program, ["run", "--quiet", "--output", folder.path] + options)
      let record = folder.path + "/run.jsonl"
      guard ending.code == 0 else {
        let command = "conform run \(options.joined(separator: " "))"
        let reason = Self.reason(ending, try? RunRecord(readingFrom: record))
        throw BenchFailure("'\(command)' is not conformant (\(reason)): run it to see why")
      }
      runs.append((ending, wall, try RunRecord(readingFrom: record)))
    }
    record = runs[runs.count - 1].record
    wall = runs.map(\.wall.seconds).median
    peak = runs.map(\.ending.peakMegabytes).median
  }

  /// How the run ended, and the first verdict that made it so; bad input leaves no record.
  private static func reason(_ ending: Child.Ending, _ record: RunRecord?) -> String {
    let code = ending.code.map { "exit code \($0)" } ?? "ended by a signal"
    let worst = record?.rulings.first { $0.disposition == .fail || $0.disposition == .error }
    return code + (worst.map { ", \($0.verdict.requirement) \($0.verdict.instance): \($0.verdict.outcome)" } ?? "")
  }
}
