import FoundationEssentials

/// The time that each form of report takes for large records, and the sizes of these reports.
struct ReportCost {
  static let figure = "reports"

  /// The number of verdicts in the largest record, and the number of runs in the longest history.
  private static let (verdicts, runs) = (10_000, 1000)
  /// The time limit for each command of this benchmark.
  private static let patience = Duration.seconds(300)

  private let folder: ScratchFolder
  private let start: Measurement.Baseline

  init() throws {
    folder = try ScratchFolder()
    start = .init(name: "conform --version", value: try Child.run(Conform.path(), ["--version"]).1.seconds)
  }

  func measurements() throws -> [Measurement] { try ofOneRecord() + ofManyRuns() }

  private func ofOneRecord() throws -> [Measurement] {
    let files = try (1...2).map { seed in
      let path = "\(folder.path)/large-\(seed).jsonl"
      try MixedRecord.write(MixedRecord.make(verdicts: Self.verdicts, seed: seed), to: path)
      return path
    }
    let page = "\(folder.path)/large.html"
    let html = try run(["report", files[0], "--without-pack", "--html", page], codes: [1])
    let diff = try run(["diff", files[0], files[1]], codes: [1])
    let added = try run(["history", "add", files[0], "--history", history("one")])
    let of = "a record with \(Self.verdicts) verdicts"
    return [
      figure("HTML of \(of)", html, below: 2),
      Measurement(
        "\(Self.figure), its size", try megabytes(page), "MB",
        against: .init(name: "the record", value: try megabytes(files[0])), target: .below(12)),
      figure("diff of two of them", diff, below: 1), figure("history add of \(of)", added, below: 1),
    ]
  }

  private func ofManyRuns() throws -> [Measurement] {
    let runs = try ManyRuns()
    let files = try runs.write(Self.runs, to: folder.path)
    let site = "\(folder.path)/site"
    let made = try run(["site", "--output", site] + files)
    let added = try run(["history", "add", "--history", history("many")] + files)
    let shown = try run(["history", "show", "alpha", "--history", history("many")])
    let flaky = try run(["history", "flaky", "--history", history("many")])
    let fromHistory = try run(["site", "--output", site, "--history", history("many")])
    let of = "\(Self.runs) runs with \(runs.verdicts) verdicts"
    return [
      figure("site of \(of)", made, below: 10),
      Measurement(
        "\(Self.figure), peak memory of it", made.peak, "MB",
        against: .init(name: "the records", value: try files.reduce(0) { $0 + (try megabytes($1)) }),
        target: .below(300)),
      figure("history add of \(of)", added), figure("history show over them", shown, below: 0.2),
      figure("history flaky over them", flaky), figure("site of that history", fromHistory, below: 10),
      Measurement(
        "\(Self.figure), size of that history", try megabytes(history("many")), "MB",
        against: .init(name: "the records", value: try files.reduce(0) { $0 + (try megabytes($1)) })),
    ]
  }

  private func history(_ name: String) -> String { "\(folder.path)/\(name).sqlite" }

  private func run(_ words: [String], codes: Set<Int32> = [0]) throws -> (seconds: Double, peak: Double) {
    let (ending, wall) = try Child.run(Conform.path(), words, within: Self.patience)
    guard let code = ending.code, codes.contains(code) else {
      throw BenchFailure(
        "'conform \(words.prefix(4).joined(separator: " ")) …' ended with \(ending.code.map(String.init) ?? "a signal")"
      )
    }
    return (wall.seconds, ending.peakMegabytes)
  }

  private func figure(
    _ name: String, _ cost: (seconds: Double, peak: Double), below limit: Double? = nil
  ) -> Measurement {
    Measurement("\(Self.figure), \(name)", cost.seconds, "s", against: start, target: limit.map { .below($0) })
  }

  private func megabytes(_ path: String) throws -> Double {
    try Double(Data(contentsOf: URL(filePath: path)).count) / 1_000_000
  }
}
