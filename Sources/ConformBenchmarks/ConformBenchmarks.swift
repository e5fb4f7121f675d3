import Glibc

/// Measures the kit, each figure beside a baseline that is taken in the same run, and prints a table.
///
/// Nothing asserts on time: the exit code is 0 whatever the figures say, and a target that is missed is called so.
/// With the argument `--curve` it shows how cost grows instead.
@main
struct ConformBenchmarks {
  static func main() async {
    // Subjects store where they do when nobody says where.
    unsetenv("TMPDIR")
    switch CommandLine.arguments.dropFirst() {
    case []: await printFigures()
    case ["--curve"]: printCurve()
    default: end(2, "the only argument is --curve, found \(CommandLine.arguments.dropFirst().joined(separator: " "))")
    }
  }

  private static func printCurve() {
    do { print(try ScalingCurve.text()) } catch { end(1, "\(error)") }
  }

  private static func end(_ code: Int32, _ text: String) -> Never {
    let line = "bin/bench: \(text)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
  }

  private static func printFigures() async {
    var rows = await [processes()]
    rows.append(await attempt(ManyObservations.figure) { try ManyObservations().measurements() })
    rows.append(await attempt(MockThroughput.figure) { try await MockThroughput().measurements() })
    rows.append(await attempt(DataServerThroughput.figure) { try await DataServerThroughput().measurements() })
    rows.append(await attempt(StdioRoundTrip.figure) { try await StdioRoundTrip().measurements() })
    rows.append(await attempt(GroupingSpeed.figure) { GroupingSpeed().measurements() })
    rows.append(await attempt(JUnitSpeed.figure) { try JUnitSpeed().measurements() })
    print(Measurement.table(rows.flatMap(\.self)))
  }

  /// The figures of whole processes come first: on Linux the peak memory of a child begins with that of its parent.
  private static func processes() async -> [Measurement] {
    do {
      let cost = try RunCost()
      let start = await attempt(StartUp.figure) { try StartUp(first: cost.firstCase).measurements() }
      return start + (await attempt(RunCost.figure) { try await cost.measurements() })
    } catch {
      return [StartUp.figure, RunCost.figure].map { Measurement($0, missing: "\(error)") }
    }
  }

  /// What cannot be measured here is said in the table; the other figures still come.
  private static func attempt(
    _ figure: String, _ measure: @Sendable () async throws -> [Measurement]
  ) async -> [Measurement] {
    do { return try await measure() } catch { return [Measurement(figure, missing: "\(error)")] }
  }
}
