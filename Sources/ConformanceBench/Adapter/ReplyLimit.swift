import ConformanceModel

/// How long the reply to a command may take before the process counts as hung and is killed.
package enum ReplyLimit: Hashable, Sendable {
  /// As long as ``AdapterLimits/reply`` says: for the kit's own commands, which wait for nothing but the adapter.
  case own
  /// As long as this in real time.
  case real(Duration)
  /// As long as it takes: the case says when it counts as never answered (``Case/Scenario/replyLimit(in:)``), and one of
  /// the kit's own commands notices when the process hangs.
  case unlimited

  /// The limit as a span of real time; nil without one.
  func duration(own: Duration) -> Duration? {
    switch self {
    case .own: own
    case .real(let duration): duration
    case .unlimited: nil
    }
  }
}

extension Case.Scenario {
  /// How long a command may take in logical time, whichever clock that is, before it counts as never answered: longer
  /// than anything that the protocol lets an SDK wait for, and than all that the case itself waits.
  package func replyLimit(in definition: ProtocolDefinition) -> LogicalTime {
    (definition.patience.map(\.time).max() ?? Self.patience) + span(.worst)
  }

  /// The patience of a protocol that names none: three attempts of half a minute each, and the pauses between them.
  private static let patience = LogicalTime.seconds(120)
}
