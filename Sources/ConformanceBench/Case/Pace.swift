import Templates

/// The clock with which cases run. It converts between logical time and real time.
package struct Pace: Sendable {
  package var clock: ClockMode
  /// The factor by which the scaled clock runs faster than real time.
  package var scale: Int

  package init(_ clock: ClockMode, scale: Int = 20) {
    self.clock = clock
    self.scale = scale
  }

  /// The logical time that passes in this real time. With a virtual clock, logical and real time are unrelated, and the
  /// function treats them as equal.
  func logical(_ span: Duration) -> LogicalTime {
    .milliseconds(span / .milliseconds(1) * (clock == .scaled ? Double(scale) : 1))
  }

  /// The real time in which this logical time passes; zero with a virtual clock.
  func reality(of time: LogicalTime) -> Duration {
    switch clock {
    case .virtual: .zero
    case .scaled: .milliseconds(time.milliseconds / Double(scale))
    case .real: .milliseconds(time.milliseconds)
    }
  }
}
