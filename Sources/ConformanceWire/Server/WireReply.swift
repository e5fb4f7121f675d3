import ConformanceTranscript
import HTTPValues
import Templates

/// The reply to a request as primitive actions on the wire, one after the other.
///
/// If no action ends the connection and the request did not ask to close it, the connection is kept for the next
/// request.
package struct WireReply: Hashable, Sendable {
  /// A primitive action.
  package enum Action: Hashable, Sendable {
    /// Writes exactly these bytes.
    case bytes([UInt8])
    /// Waits.
    case pause(LogicalTime)
    /// Waits until the barrier is open.
    case wait(WireBarrier)
    /// Waits for another reply, whose actions and response replace the rest of this reply.
    case pending(PendingReply)
    /// Ends the connection in order (FIN) once all bytes are written.
    case close
    /// Ends the connection with a reset (RST). Data that the client's machine has not received by then is lost.
    case reset
    /// Sends nothing more, and keeps the connection open until the client leaves.
    case hold
  }

  /// The form in which the journal records the request.
  package enum Request: Hashable, Sendable {
    case asReceived
    /// The journal records this request, as the responder has read it, in place of the received one.
    case read(RequestRecord)
    /// The journal does not record the request.
    case unnoted
    /// The journal records bytes that are not a request, with the reason.
    case malformed(String, Octets)
  }

  package var actions: [Action]
  package var request = Request.asReceived
  /// The word for the fault that caused the reply, which the journal records; nil without a fault.
  package var fault: String?
  /// The response that the journal records. The server fills in its `connection`. nil if no response is sent.
  package var response: ResponseRecord?

  package init(_ actions: [Action], fault: String? = nil, response: ResponseRecord? = nil) {
    self.actions = actions
    self.fault = fault
    self.response = response
  }
}
