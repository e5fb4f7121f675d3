import ConformanceModel

/// What happens on the wire instead of an answer in the abstract: primitive actions, one after the other.
///
/// When the actions are through and none of them closed the connection, it is kept for the next request, unless the
/// request asked to close it.
package struct WireReply: Hashable, Sendable {
  /// A primitive action.
  package enum Action: Hashable, Sendable {
    /// Writes exactly these bytes.
    case bytes([UInt8])
    /// Waits.
    case pause(LogicalTime)
    /// Waits until the barrier is open.
    case wait(WireBarrier)
    /// Ends the connection in order (FIN) when all is written.
    case close
    /// Ends the connection with a reset (RST); what the client's machine has not taken by then is lost.
    case reset
    /// Does nothing more until the client leaves.
    case hold
  }

  package var actions: [Action]
  /// The word of the fault that caused it, for the journal.
  package var fault: String?
  /// What the journal says is sent; its `connection` is filled in by the server. Nil when nothing is.
  package var response: ResponseRecord?

  package init(_ actions: [Action], fault: String? = nil, response: ResponseRecord? = nil) {
    self.actions = actions
    self.fault = fault
    self.response = response
  }
}
