/// Measures how the time of a run grows with the number of its cases, and how it shrinks if more cases run at once.
struct ScalingCurve {
  /// One measured run.
  private struct Point {
    var label: String
    var wall: Double
    var note: String
  }

  private static let dialects = ["spec", "core-1.21", "core-next", "cloud"]
  private static let jobs = [1, 2, 4, 8, 16]
  private static let barWidth = 40.0

  /// Draws both curves as bars of text: by the number of cases, and by the number of cases at once.
  static func text() throws -> String {
    [
      chart("SDK suite in one dialect after the other: time for a case stays the same", try growth()),
      chart("SDK suite in one dialect, by the number of cases at once (--jobs)", try parallelism()),
    ].joined(separator: "\n\n")
  }

  private static func growth() throws -> [Point] {
    try dialects.indices.map { last in
      let run = try ReferenceRun(["--role", "sdk"] + dialects[...last].flatMap { ["--dialect", $0] })
      let cases = run.record.cases.count
      return Point(
        label: "\(cases) cases", wall: run.wall, note: "\(Measurement.text(run.wall * 1000 / Double(cases))) ms a case")
    }
  }

  private static func parallelism() throws -> [Point] {
    var alone: Double?
    return try jobs.map { count in
      let run = try ReferenceRun(["--role", "sdk", "--dialect", dialects[0], "--jobs", "\(count)"])
      alone = alone ?? run.wall
      let ratio = Measurement.text((alone ?? run.wall) / run.wall)
      return Point(label: "\(count) at once", wall: run.wall, note: "\(ratio) times as fast as one")
    }
  }

  private static func chart(_ title: String, _ points: [Point]) -> String {
    let longest = points.map(\.wall).max() ?? 1
    let width = points.map(\.label.count).max() ?? 0
    let rows = points.map { point in
      let bar = String(repeating: "█", count: max(1, Int(point.wall / longest * barWidth)))
      let padding = String(repeating: " ", count: width - point.label.count)
      return "  \(padding)\(point.label)  \(bar) \(Measurement.text(point.wall)) s, \(point.note)"
    }
    return ([title] + rows).joined(separator: "\n")
  }
}
