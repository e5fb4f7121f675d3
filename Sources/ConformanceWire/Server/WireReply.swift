import ConformanceModel

/// What happens on the wire instead of an answer in the abstract: primitive actions, one after the other.
///
/// When the actions are through and none of them closed the connection, it is kept for the next request, unless the
/// request asked to close it.
public struct WireReply: Hashable, Sendable {
  /// A primitive action.
  public enum Action: Hashable, Sendable {
    /// Writes exactly these bytes.
    case bytes([UInt8])
    /// Waits.
    case pause(LogicalTime)
    /// Ends the connection in order (FIN) when all is written.
    case close
    /// Ends the connection with a reset (RST); what the client's machine has not taken by then is lost.
    case reset
    /// Does nothing more until the client leaves.
    case hold
  }

  public var actions: [Action]
  /// The word of the fault that caused it, for the journal.
  public var fault: String?
  /// What the journal says is sent; its `connection` is filled in by the server. Nil when nothing is.
  public var response: ResponseRecord?

  public init(_ actions: [Action], fault: String? = nil, response: ResponseRecord? = nil) {
    self.actions = actions
    self.fault = fault
    self.response = response
  }
}
