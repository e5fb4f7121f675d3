import ConformanceModel

/// How long the reply to a command may take before the process counts as hung and is killed.
package enum ReplyLimit: Hashable, Sendable {
  /// As long as ``AdapterLimits/reply`` says: for the kit's own commands, which wait for nothing but the adapter.
  case own
  /// As long as this in real time.
  case real(Duration)
  /// As long as it takes: something else notices when nothing is left that could happen.
  case unlimited

  /// How long a command of a protocol may take in logical time when its protocol does not say: the same with every clock,
  /// and longer than a case waits for a reply, so that an SDK with a legal time-out of its own is never killed before it.
  package static let command = LogicalTime.seconds(300)

  /// A limit in logical time. A virtual clock moves only while the adapter says that it is at rest, so there `advance`
  /// notices what hangs.
  package static func logical(_ time: LogicalTime, clock: ClockMode, scale: Int) -> ReplyLimit {
    switch clock {
    case .virtual: .unlimited
    case .scaled: .real(.milliseconds(time.milliseconds / Double(scale)))
    case .real: .real(.milliseconds(time.milliseconds))
    }
  }

  /// The limit as a span of real time; nil without one.
  func duration(own: Duration) -> Duration? {
    switch self {
    case .own: own
    case .real(let duration): duration
    case .unlimited: nil
    }
  }
}
