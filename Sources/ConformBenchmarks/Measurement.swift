/// One row of the table: a figure of the kit, and the same figure for a minimal implementation.
struct Measurement {
  /// The limit for a figure, or for the ratio of the figure to its baseline.
  enum Target {
    case atLeast(Double), below(Double)
    case ratioAtLeast(Double), ratioAtMost(Double)
  }

  /// A minimal implementation: its name, and its value for the same figure in the same unit.
  struct Baseline {
    var name: String
    var value: Double
  }

  private enum Outcome {
    case measured(Double, unit: String, Baseline, Target?)
    case missing(reason: String)
  }

  private let figure: String
  private let outcome: Outcome

  init(_ figure: String, _ value: Double, _ unit: String, against baseline: Baseline, target: Target? = nil) {
    self.figure = figure
    outcome = .measured(value, unit: unit, baseline, target)
  }

  /// A row for a figure that cannot be measured on this machine.
  init(_ figure: String, missing reason: String) {
    self.figure = figure
    outcome = .missing(reason: reason)
  }
}

extension Measurement {
  private static let titles = ["figure", "measured", "baseline", "ratio", "target", "", "baseline of"]

  /// A table with one line for each row, below the titles of the columns.
  static func table(_ rows: [Measurement]) -> String {
    let cells = [titles] + rows.map(\.cells)
    let widths = titles.indices.map { column in
      // A row with a reason has fewer cells. The reason may be longer than any figure, so the row does not widen a
      // column.
      cells.filter { $0.count == titles.count }.map { $0[column].count }.max() ?? 0
    }
    return cells.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
      return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private var cells: [String] {
    switch outcome {
    case .missing(let reason): [figure, "not measured: \(reason)"]
    case .measured(let value, let unit, let baseline, let target):
      [
        figure, "\(Self.text(value)) \(unit)", "\(Self.text(baseline.value)) \(unit)",
        baseline.value > 0 ? Self.text(value / baseline.value) : "–", target.map { $0.text(unit) } ?? "–",
        target.map { $0.isMet(value, baseline.value) ? "met" : "missed" } ?? "", baseline.name,
      ]
    }
  }

  /// A number without an exponent. It has at least three significant digits if it is at least 0.01.
  static func text(_ value: Double) -> String {
    let decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let units = Int((value * Double(scale)).rounded())
    if decimals == 0 { return "\(units)" }
    let fraction = String(units % scale)
    return "\(units / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}

extension Measurement.Target {
  fileprivate func isMet(_ value: Double, _ baseline: Double) -> Bool {
    switch self {
    case .atLeast(let least): value >= least
    case .below(let limit): value < limit
    case .ratioAtLeast(let least): value >= least * baseline
    case .ratioAtMost(let most): value <= most * baseline
    }
  }

  fileprivate func text(_ unit: String) -> String {
    switch self {
    case .atLeast(let least): "≥ \(Measurement.text(least)) \(unit)"
    case .below(let limit): "< \(Measurement.text(limit)) \(unit)"
    case .ratioAtLeast(let least): "ratio ≥ \(Measurement.text(least))"
    case .ratioAtMost(let most): "ratio ≤ \(Measurement.text(most))"
    }
  }
}
