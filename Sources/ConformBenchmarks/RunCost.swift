import ConformanceVerdict

/// The cost of whole runs: of the slice of the suites that a developer repeats all day, and of the complete suite of
/// each role.
struct RunCost {
  /// The runs to measure, and the limits for their cost.
  private struct Order {
    var name: String
    /// The options of each run. The runs follow one after the other.
    var runs: [[String]]
    /// The limit for the wall time of all runs together, in seconds.
    var wall: Double
    /// The limit for the peak memory of the largest run, in megabytes.
    var memory: Double
    /// Whether the runs use an adapter.
    var isDriven = false
  }

  static let figure = "runs of the references"

  private static let dialects = ["--dialect", "spec", "--dialect", "core-1.21"]
  private static let slice = Order(
    name: "slice",
    runs: [
      ["--role", "sdk"] + ["1", "2", "11", "12", "13"].flatMap { ["--feature", $0] } + dialects,
      ["health", "install", "event"].flatMap { ["--case", "server.\($0).*"] } + dialects,
    ],
    wall: 5, memory: 150)
  private static let suites = [
    Order(name: "SDK suite", runs: [["--role", "sdk"]], wall: 10, memory: 300, isDriven: true),
    Order(name: "server suite", runs: [["--role", "server"]], wall: 5, memory: 300),
  ]
  private static let repetitions = 3

  private let slice: [ReferenceRun]
  /// The time in seconds and the peak memory in megabytes if the kit only reads the catalogue, which every run does.
  private let listing: (wall: Double, peak: Double)

  init() throws {
    slice = try Self.runs(of: Self.slice)
    let listings = try (0..<Self.repetitions).map { _ in try Child.run(try Conform.path(), ["list", "cases"]) }
    listing = (listings.map(\.1.seconds).median, listings.map(\.0.peakMegabytes).median)
  }

  /// The first case of the slice.
  var firstCase: RunRecord.CaseRun {
    get throws {
      guard let first = slice.first?.record.cases.first else { throw BenchFailure("the run performed no case") }
      return first
    }
  }

  func measurements() async throws -> [Measurement] {
    var rows = measurements(of: Self.slice, slice) + [try await ownTime()]
    for suite in Self.suites { rows += try await measurementsWithFloor(of: suite) }
    return rows
  }

  /// The figures of a suite, compared with the lower bound for its work. The bound is measured after each run, so that
  /// other load on the machine affects both the run and the bound.
  private func measurementsWithFloor(of suite: Order) async throws -> [Measurement] {
    let options = suite.runs.flatMap(\.self)
    let counts = suite.isDriven ? try AdapterTally.counts(of: options) : nil
    var runs: [ReferenceRun] = []
    var floors: [Floor] = []
    for _ in 0..<Self.repetitions {
      var run = try ReferenceRun(options, countsWork: true)
      if let counts { run.work?.take(counts) }
      runs.append(run)
      if let work = run.work { floors.append(try await Floor(of: work)) }
    }
    let middle = runs.sorted { $0.wall < $1.wall }[runs.count / 2]
    guard let work = middle.work else { throw BenchFailure("the work of the \(suite.name) was not counted") }
    return measurements(of: suite, [middle]) + [
      againstFloor("\(suite.name) against its floor", runs.map(\.wall), floors, work, \.wall),
      againstFloor(
        "\(suite.name) against its floor, processor time", runs.map(\.processor), floors, work, \.processor),
    ]
  }

  /// One figure of a suite, compared with the lower bound for its work. The name of the baseline in the table contains
  /// the amount of work.
  private func againstFloor(
    _ figure: String, _ taken: [Double], _ floors: [Floor], _ work: SuiteWork, _ part: KeyPath<Floor.Cost, Double>
  ) -> Measurement {
    func seconds(_ kind: KeyPath<Floor, Floor.Cost>) -> Double {
      floors.map { $0[keyPath: kind][keyPath: part] }.median
    }
    let (received, sent) = (work.received, work.sent)
    let parts = [
      "\(received.count + sent.count) bare NIO exchanges on \(received.connections + sent.connections) connections "
        + "\(Measurement.text(seconds(\.exchanges))) s",
      "\(work.lines) lines through cat \(Measurement.text(seconds(\.lines))) s",
      "\(work.starts) starts of the adapter \(Measurement.text(seconds(\.starts))) s",
    ]
    return Measurement(
      figure, taken.median, "s", against: .init(name: parts.joined(separator: ", "), value: seconds(\.whole)),
      target: .ratioAtMost(3))
  }

  private static func runs(of order: Order) throws -> [ReferenceRun] {
    try order.runs.map { try ReferenceRun($0, repetitions: repetitions) }
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

  /// The time that the kit itself needs for a case. The cases run one at a time, since otherwise a case also waits for
  /// other cases.
  private func ownTime() async throws -> Measurement {
    let runs = try Self.slice.runs.map { try ReferenceRun($0 + ["--jobs", "1"]) }
    return Measurement(
      "slice, the kit's own time for a case, median", runs.flatMap(\.record.cases).map(\.ownDuration).median, "ms",
      against: .init(name: "a bare NIO exchange", value: try await MockThroughput.bareExchange()), target: .below(0.7))
  }
}
