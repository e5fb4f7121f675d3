extension Sequence<Double> {
  /// The middle value in sorted order. It is the higher of the two middle values for an even number of values, and 0
  /// for an empty sequence.
  var median: Double {
    let sorted = sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
  var milliseconds: Double { self / .milliseconds(1) }
}

extension ContinuousClock {
  /// Runs `body` `count` times. Returns the time of each run.
  static func samples(_ count: Int, of body: () throws -> Void) rethrows -> [Duration] {
    try (0..<count).map { _ in try ContinuousClock().measure(body) }
  }
}
