/// Measures the kit, each figure beside a baseline that is taken in the same run, and prints a table.
///
/// Nothing asserts on time: the exit code is 0 whatever the figures say, and a target that is missed is called so.
@main
struct ConformBench {
  static func main() async {
    var rows = await [processes()]
    rows.append(await attempt(MockThroughput.figure) { try await MockThroughput().measurements() })
    rows.append(await attempt(StdioRoundTrip.figure) { try await StdioRoundTrip().measurements() })
    rows.append(await attempt(JUnitSpeed.figure) { try JUnitSpeed().measurements() })
    print(Measurement.table(rows.flatMap(\.self)))
  }

  /// The figures of whole processes come first: on Linux the peak memory of a child begins with that of its parent.
  private static func processes() async -> [Measurement] {
    do {
      let run = try WholeRun.repeated()
      let start = await attempt(StartUp.figure) { try StartUp(first: run.firstCase).measurements() }
      return start + (await attempt(WholeRun.figure) { try await run.measurements() })
    } catch {
      return [StartUp.figure, WholeRun.figure].map { Measurement($0, missing: "\(error)") }
    }
  }

  /// What cannot be measured here is said in the table; the other figures still come.
  private static func attempt(
    _ figure: String, _ measure: @Sendable () async throws -> [Measurement]
  ) async -> [Measurement] {
    do { return try await measure() } catch { return [Measurement(figure, missing: "\(error)")] }
  }
}
