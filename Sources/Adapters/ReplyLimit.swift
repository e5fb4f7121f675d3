import ConformanceModel
import Templates

/// How long the reply to a command may take before the process counts as hung and is killed.
package enum ReplyLimit: Hashable, Sendable {
  /// The limit ``AdapterLimits/reply``, for the kit's own commands. Their replies depend on the adapter alone.
  case own
  /// A span of real time.
  case real(Duration)
  /// No limit in real time. The case decides when the command counts as never answered
  /// (``Case/Scenario/replyLimit(in:)``). If the process hangs, the kit notices this because its own commands also get
  /// no reply.
  case unlimited

  /// The limit as a span of real time; nil for ``unlimited``. `own` is the limit for the kit's own commands.
  func duration(own: Duration) -> Duration? {
    switch self {
    case .own: own
    case .real(let duration): duration
    case .unlimited: nil
    }
  }
}

extension Case.Scenario {
  /// The logical time after which a command counts as never answered. It is the same with all clocks. It is the longest
  /// wait that the protocol allows an SDK, plus all waits of the case itself.
  package func replyLimit(in definition: ProtocolDefinition) -> LogicalTime {
    (definition.patience.map(\.time).max() ?? Self.patience) + span(.worst)
  }

  /// The longest wait of an SDK if its protocol does not specify one: three attempts of 30 s each, and 30 s for the
  /// pauses between them.
  private static let patience = LogicalTime.seconds(120)
}
