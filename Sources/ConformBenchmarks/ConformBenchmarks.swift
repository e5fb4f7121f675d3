import Glibc

/// Measures the kit, compares each figure with a baseline from the same run, and prints a table.
///
/// The exit code is 0 even if a figure misses its target; the table then marks the figure. Arguments select the parts
/// to measure by their names. With the argument `--curve`, the program only shows how the time of a run depends on the
/// number of its cases and on `--jobs`. With `--records FOLDER`, it only writes large records.
@main
struct ConformBenchmarks {
  /// The parts that can be measured separately.
  private enum Part: String, CaseIterable {
    /// Whole runs. They come first, while this process is small. On Linux, the peak memory of a child process is at
    /// least the memory that its parent used when it started the child.
    case run
    case observations
    case mock
    case dataServer = "data-server"
    case adapter
    case starts
    case grouping
    case junit
    case reports
    case certificates
  }

  static func main() async {
    // Subjects then use the default folder for temporary files.
    unsetenv("TMPDIR")
    let arguments = CommandLine.arguments.dropFirst()
    do {
      if let order = ClientProcess(arguments) { return try await MockThroughput.perform(order) }
      if let tally = AdapterTally(arguments) { exit(try tally.serve()) }
    } catch {
      end(1, "\(error)")
    }
    if arguments == ["--curve"] { return printCurve() }
    if arguments.first == "--records", let folder = arguments.dropFirst().first { return writeRecords(to: folder) }
    let parts = arguments.map { name in
      guard let part = Part(rawValue: name) else {
        let names = Part.allCases.map(\.rawValue).joined(separator: ", ")
        end(2, "expected --curve, or some of \(names), found \(name)")
      }
      return part
    }
    var rows: [Measurement] = []
    for part in Part.allCases where parts.isEmpty || parts.contains(part) { rows += await measurements(of: part) }
    print(Measurement.table(rows))
  }

  private static func printCurve() {
    do { print(try ScalingCurve.text()) } catch { end(1, "\(error)") }
  }

  /// Writes two records into a folder, for other tools. Each record contains 10,000 verdicts.
  private static func writeRecords(to folder: String) {
    do {
      for seed in 1...2 {
        try MixedRecord.write(MixedRecord.make(verdicts: 10_000, seed: seed), to: "\(folder)/large-\(seed).jsonl")
      }
    } catch {
      end(1, "\(error)")
    }
  }

  private static func end(_ code: Int32, _ text: String) -> Never {
    let line = "bin/bench: \(text)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
  }

  private static func measurements(of part: Part) async -> [Measurement] {
    switch part {
    case .run: await runs()
    case .observations: await attempt(ManyObservations.figure) { try ManyObservations().measurements() }
    case .mock: await attempt(MockThroughput.figure) { try await MockThroughput().measurements() }
    case .dataServer: await attempt(DataServerThroughput.figure) { try await DataServerThroughput().measurements() }
    case .adapter: await attempt(StdioRoundTrip.figure) { try await StdioRoundTrip().measurements() }
    case .starts: await attempt(SupervisedStarts.figure) { try SupervisedStarts().measurements() }
    case .grouping: await attempt(GroupingSpeed.figure) { GroupingSpeed().measurements() }
    case .junit: await attempt(JUnitSpeed.figure) { try JUnitSpeed().measurements() }
    case .reports: await attempt(ReportCost.figure) { try ReportCost().measurements() }
    case .certificates: await attempt(CertificateCost.figure) { try CertificateCost().measurements() }
    }
  }

  private static func runs() async -> [Measurement] {
    do {
      let cost = try RunCost()
      let start = await attempt(StartUp.figure) { try StartUp(first: cost.firstCase).measurements() }
      return start + (await attempt(RunCost.figure) { try await cost.measurements() })
    } catch {
      return [StartUp.figure, RunCost.figure].map { Measurement($0, missing: "\(error)") }
    }
  }

  /// Measures a figure. If that fails, the table contains the reason, and the program continues with the other figures.
  private static func attempt(
    _ figure: String, _ measure: @Sendable () async throws -> [Measurement]
  ) async -> [Measurement] {
    do { return try await measure() } catch { return [Measurement(figure, missing: "\(error)")] }
  }
}
