import ConformanceModel

/// What whole runs cost: the slice that a developer repeats all day, and the complete suite of each role.
struct RunCost {
  /// A selection of cases, and what a run of it may cost.
  private struct Order {
    var name: String
    var options: [String]
    /// In seconds.
    var wall: Double
    /// In megabytes.
    var memory: Double
  }

  static let figure = "runs of the references"

  private static let slice = Order(
    name: "slice",
    options: ["1", "2", "11", "12", "13"].flatMap { ["--feature", $0] }
      + ["--dialect", "spec", "--dialect", "core-1.21"],
    wall: 5, memory: 150)
  private static let suites = [
    Order(name: "SDK suite", options: ["--role", "sdk"], wall: 10, memory: 300),
    Order(name: "server suite", options: ["--role", "server"], wall: 5, memory: 300),
  ]
  private static let repetitions = 3

  private let slice: ReferenceRun
  /// The catalogue alone: the least that any run has to do.
  private let listing: (wall: Double, peak: Double)

  init() throws {
    slice = try ReferenceRun(Self.slice.options, repetitions: Self.repetitions)
    let listings = try (0..<Self.repetitions).map { _ in try Child.run(try Conform.path(), ["list", "cases"]) }
    listing = (listings.map(\.1.seconds).median, listings.map(\.0.peakMegabytes).median)
  }

  /// Some case that the slice has performed.
  var firstCase: RunRecord.CaseRun {
    get throws {
      guard let first = slice.record.cases.first else { throw BenchFailure("the run performed no case") }
      return first
    }
  }

  func measurements() async throws -> [Measurement] {
    let suites = try Self.suites.flatMap { suite in
      measurements(of: suite, try ReferenceRun(suite.options, repetitions: Self.repetitions))
    }
    return measurements(of: Self.slice, slice) + [try await ownTime()] + suites
  }

  private func measurements(of order: Order, _ run: ReferenceRun) -> [Measurement] {
    [
      Measurement(
        "\(order.name), \(run.record.cases.count) cases", run.wall, "s",
        against: .init(name: "'conform list': the catalogue alone", value: listing.wall), target: .below(order.wall)),
      Measurement(
        "\(order.name), peak memory", run.peak, "MB",
        against: .init(name: "'conform list': the catalogue alone", value: listing.peak), target: .below(order.memory)),
    ]
  }

  /// What the kit itself takes for a case. One case at a time: with more at once a case also waits for the others.
  private func ownTime() async throws -> Measurement {
    let run = try ReferenceRun(Self.slice.options + ["--jobs", "1"])
    return Measurement(
      "slice, the kit's own time for a case, median", run.record.cases.map(\.ownDuration).median, "ms",
      against: .init(name: "a bare NIO exchange", value: try await MockThroughput.bareExchange()), target: .below(5))
  }
}
