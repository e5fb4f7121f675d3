import ConformanceModel
import ConformanceReport

/// A run of everything that the references can be judged on, as a process of its own.
struct WholeRun {
  static let figure = "whole run"

  private static let repetitions = 3

  private let subject: String
  private let record: RunRecord
  private let wall: Double
  private let peak: Double
  private let listing: (wall: Double, peak: Double)

  /// Runs a few times: what the middle one took, and the record of the last.
  static func repeated() throws -> WholeRun {
    let folder = try ScratchFolder()
    let program = try Conform.path()
    // Without a reference SDK there is still the reference server to judge.
    let attempts = [("both roles", []), ("server only", ["--role", "server"])]
    for (subject, options) in attempts {
      let arguments = ["run", "--quiet", "--output", folder.path] + options
      let runs = try (0..<repetitions).map { _ in try Child.run(program, arguments) }
      guard runs.allSatisfy({ $0.0.code == 0 || $0.0.code == 1 }) else { continue }
      let listings = try (0..<repetitions).map { _ in try Child.run(program, ["list", "cases"]) }
      return WholeRun(
        subject: subject, record: try RunRecord(readingFrom: folder.path + "/run.jsonl"),
        wall: runs.map(\.1.seconds).median, peak: runs.map(\.0.peakMegabytes).median,
        listing: (listings.map(\.1.seconds).median, listings.map(\.0.peakMegabytes).median))
    }
    throw BenchFailure("'conform run' reached no conclusion on either role; run it to see why")
  }

  /// Some case that the run has performed.
  var firstCase: RunRecord.CaseRun {
    get throws {
      guard let first = record.cases.first else { throw BenchFailure("the run performed no case") }
      return first
    }
  }

  func measurements() async throws -> [Measurement] {
    let exchange = try await MockThroughput.bareExchange()
    return [
      Measurement(
        "\(Self.figure), \(subject), \(record.cases.count) cases", wall, "s",
        against: .init(name: "'conform list': the catalogue alone", value: listing.wall), target: .below(5)),
      Measurement(
        "\(Self.figure), own time of a case, median", record.cases.map(\.ownDuration).median, "ms",
        against: .init(name: "a bare NIO exchange", value: exchange), target: .below(5)),
      Measurement(
        "\(Self.figure), peak memory", peak, "MB",
        against: .init(name: "'conform list': the catalogue alone", value: listing.peak), target: .below(150)),
    ]
  }
}
