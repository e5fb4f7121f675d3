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
    let folder = try ScratchFolder()
    let program = try Conform.path()
    let arguments = ["run", "--quiet", "--output", folder.path] + options
    let runs = try (0..<repetitions).map { _ in try Child.run(program, arguments) }
    guard runs.allSatisfy({ $0.0.code == 0 }) else {
      throw BenchFailure("'conform \(arguments.joined(separator: " "))' is not conformant: run it to see why")
    }
    record = try RunRecord(readingFrom: folder.path + "/run.jsonl")
    wall = runs.map(\.1.seconds).median
    peak = runs.map(\.0.peakMegabytes).median
  }
}
