import Templates

/// The clock of cases, and the relation between logical time and real time with that clock.
package struct Pace: Sendable {
  package var clock: ClockMode
  /// The factor by which the scaled clock runs faster than real time.
  package var scale: Int

  package init(_ clock: ClockMode, scale: Int = 20) {
    self.clock = clock
    self.scale = scale
  }

  /// The logical time of a real span. With a virtual clock, logical and real time are unrelated, and the factor is 1.
  func logical(_ span: Duration) -> LogicalTime {
    .milliseconds(span / .milliseconds(1) * (clock == .scaled ? Double(scale) : 1))
  }

  /// The real time that a logical time takes; zero with a virtual clock.
  func reality(of time: LogicalTime) -> Duration {
    switch clock {
    case .virtual: .zero
    case .scaled: .milliseconds(time.milliseconds / Double(scale))
    case .real: .milliseconds(time.milliseconds)
    }
  }
}
