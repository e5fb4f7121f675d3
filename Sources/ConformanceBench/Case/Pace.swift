import Templates

/// The clock of cases, and how logical time and time in reality are related on it.
package struct Pace: Sendable {
  package var clock: ClockMode
  /// How much faster than real time the scaled clock runs.
  package var scale: Int

  package init(_ clock: ClockMode, scale: Int = 20) {
    self.clock = clock
    self.scale = scale
  }

  /// The logical time of a span in reality. With a virtual clock the two are unrelated, and the factor is 1.
  func logical(_ span: Duration) -> LogicalTime {
    .milliseconds(span / .milliseconds(1) * (clock == .scaled ? Double(scale) : 1))
  }

  /// The time in reality that a logical time takes.
  func reality(of time: LogicalTime) -> Duration {
    switch clock {
    case .virtual: .zero
    case .scaled: .milliseconds(time.milliseconds / Double(scale))
    case .real: .milliseconds(time.milliseconds)
    }
  }
}
