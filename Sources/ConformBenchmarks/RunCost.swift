import ConformanceModel

/// What whole runs cost: the slice that a developer repeats all day, and the complete suite of each role.
struct RunCost {
  /// What is run, and what it may cost.
  private struct Order {
    var name: String
    /// The options of each run; several are made one after the other.
    var runs: [[String]]
    /// In seconds, all runs together.
    var wall: Double
    /// In megabytes, the largest run.
    var memory: Double
    /// Whether its time is held against the floor of its work.
    var countsWork: Bool
  }

  static let figure = "runs of the references"

  private static let dialects = ["--dialect", "spec", "--dialect", "core-1.21"]
  private static let slice = Order(
    name: "slice",
    runs: [
      ["--role", "sdk"] + ["1", "2", "11", "12", "13"].flatMap { ["--feature", $0] } + dialects,
      ["health", "install", "event"].flatMap { ["--case", "server.\($0).*"] } + dialects,
    ],
    wall: 5, memory: 150, countsWork: false)
  private static let suites = [
    Order(name: "SDK suite", runs: [["--role", "sdk"]], wall: 10, memory: 300, countsWork: true),
    Order(name: "server suite", runs: [["--role", "server"]], wall: 5, memory: 300, countsWork: false),
  ]
  private static let repetitions = 3

  private let slice: [ReferenceRun]
  /// The catalogue alone: the least that any run has to do.
  private let listing: (wall: Double, peak: Double)

  init() throws {
    slice = try Self.runs(of: Self.slice)
    let listings = try (0..<Self.repetitions).map { _ in try Child.run(try Conform.path(), ["list", "cases"]) }
    listing = (listings.map(\.1.seconds).median, listings.map(\.0.peakMegabytes).median)
  }

  /// Some case that the slice has performed.
  var firstCase: RunRecord.CaseRun {
    get throws {
      guard let first = slice.first?.record.cases.first else { throw BenchFailure("the run performed no case") }
      return first
    }
  }

  func measurements() async throws -> [Measurement] {
    var rows = measurements(of: Self.slice, slice) + [try await ownTime()]
    for suite in Self.suites {
      let runs = try Self.runs(of: suite)
      rows += measurements(of: suite, runs)
      if let work = runs.first?.work { rows.append(try await againstFloor(suite, runs[0], work)) }
    }
    return rows
  }

  /// The time of a suite beside the least that its work takes; the counts say what the floor is made of.
  private func againstFloor(_ suite: Order, _ run: ReferenceRun, _ work: SuiteWork) async throws -> Measurement {
    let floor = try await Floor(of: work)
    let parts = [
      "\(work.exchanges) bare NIO exchanges \(Measurement.text(floor.exchanges)) s",
      "\(work.commands) lines through cat \(Measurement.text(floor.lines)) s",
      "\(work.restarts) starts of /bin/true \(Measurement.text(floor.starts)) s",
    ]
    return Measurement(
      "\(suite.name) against its floor", run.wall, "s",
      against: .init(name: parts.joined(separator: ", "), value: floor.seconds), target: .ratioAtMost(3))
  }

  private static func runs(of order: Order) throws -> [ReferenceRun] {
    try order.runs.map { try ReferenceRun($0, repetitions: repetitions, countsWork: order.countsWork) }
  }

  private func measurements(of order: Order, _ runs: [ReferenceRun]) -> [Measurement] {
    let cases = runs.reduce(0) { $0 + $1.record.cases.count }
    return [
      Measurement(
        "\(order.name), \(cases) cases", runs.reduce(0) { $0 + $1.wall }, "s",
        against: .init(name: "'conform list': the catalogue alone", value: listing.wall), target: .below(order.wall)),
      Measurement(
        "\(order.name), peak memory", runs.map(\.peak).max() ?? 0, "MB",
        against: .init(name: "'conform list': the catalogue alone", value: listing.peak), target: .below(order.memory)),
    ]
  }

  /// What the kit itself takes for a case. One case at a time: with more at once a case also waits for the others.
  private func ownTime() async throws -> Measurement {
    let runs = try Self.slice.runs.map { try ReferenceRun($0 + ["--jobs", "1"]) }
    return Measurement(
      "slice, the kit's own time for a case, median", runs.flatMap(\.record.cases).map(\.ownDuration).median, "ms",
      against: .init(name: "a bare NIO exchange", value: try await MockThroughput.bareExchange()), target: .below(0.7))
  }
}
