extension Sequence<Double> {
  /// The middle one, the higher of two; 0 without any.
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
  /// Runs something so many times: how long each took.
  static func samples(_ count: Int, of body: () throws -> Void) rethrows -> [Duration] {
    try (0..<count).map { _ in try ContinuousClock().measure(body) }
  }
}
