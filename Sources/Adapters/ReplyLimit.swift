import ConformanceModel
import Templates

/// How long the reply to a command may take before the process counts as hung and is killed.
package enum ReplyLimit: Hashable, Sendable {
  /// The limit of ``AdapterLimits/reply``, for the kit's own commands, which wait only for the adapter.
  case own
  /// A span of real time.
  case real(Duration)
  /// No limit in real time. The case decides when the command counts as never answered
  /// (``Case/Scenario/replyLimit(in:)``), and one of the kit's own commands notices when the process hangs.
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
  /// The logical time after which a command counts as never answered, whichever clock is used. It is longer than any
  /// wait that the protocol allows an SDK, plus all waits of the case itself.
  package func replyLimit(in definition: ProtocolDefinition) -> LogicalTime {
    (definition.patience.map(\.time).max() ?? Self.patience) + span(.worst)
  }

  /// The patience for a protocol that specifies none: three attempts of half a minute each, and the pauses between
  /// them.
  private static let patience = LogicalTime.seconds(120)
}
