import ConformanceVerdict

/// A run of the references in a separate process, as users start it.
struct ReferenceRun {
  /// The record of the last repetition.
  let record: RunRecord
  /// The median wall time of the repetitions, in seconds.
  let wall: Double
  /// The peak memory of the largest process, in megabytes: the median of all repetitions.
  let peak: Double
  /// The median processor time of the repetitions, in seconds. It includes the time of the adapters.
  let processor: Double
  /// The work of the last repetition; nil if `countsWork` was false.
  var work: SuiteWork?

  /// Runs `conform run` with these options `repetitions` times. The limit applies to each repetition.
  init(
    _ options: [String], repetitions: Int = 1, within limit: Duration = .seconds(60), countsWork: Bool = false
  ) throws {
    let program = try Conform.path()
    let last = max(1, repetitions)
    var runs: [(ending: Child.Ending, wall: Duration, record: RunRecord)] = []
    for number in 1...last {
      // A new folder each time: a file system may be slow after many files were deleted.
      let folder = try ScratchFolder()
      let (ending, wall) = try Child.run(program, ["run", "--quiet", "--output", folder.path] + options, within: limit)
      let record = folder.path + "/run.jsonl"
      guard ending.code == 0 else {
        let command = "conform run \(options.joined(separator: " "))"
        let reason = Self.reason(ending, try? RunRecord(readingFrom: record))
        throw BenchFailure("'\(command)' is not conformant (\(reason)): run it to see why")
      }
      runs.append((ending, wall, try RunRecord(readingFrom: record)))
      if countsWork, number == last { work = try SuiteWork(of: runs[runs.count - 1].record, in: folder.path) }
    }
    record = runs[runs.count - 1].record
    wall = runs.map(\.wall.seconds).median
    processor = runs.map(\.ending.processor).median
    peak = runs.map(\.ending.peakMegabytes).median
  }

  /// Describes why a run was not conformant: its exit code or signal, and the first verdict that explains it. Without a
  /// record, it describes only the exit code or signal.
  private static func reason(_ ending: Child.Ending, _ record: RunRecord?) -> String {
    let code = ending.code.map { "exit code \($0)" } ?? "ended by a signal"
    let worst = record?.rulings.first { $0.disposition == .fail || $0.disposition == .error }
    return code + (worst.map { ", \($0.verdict.requirement) \($0.verdict.instance): \($0.verdict.outcome)" } ?? "")
  }
}
