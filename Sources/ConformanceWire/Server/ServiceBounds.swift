/// Limits for all clients together of a server that any client can reach: time, connections and memory.
///
/// The mock of a case has no such limits, since there a slow client is evidence.
package struct ServiceBounds: Sendable {
  /// The longest time for the head of a request, and for a connection without a request; in real time.
  package var head: Duration
  /// The longest time for a body, and for the reading of an answer; in real time.
  package var body: Duration
  /// The most connections that are open at once.
  package var connections: Int
  /// The most bytes of unanswered requests, of all connections together.
  package var bytes: Int

  package init(
    head: Duration = .seconds(10), body: Duration = .seconds(30), connections: Int = 256, bytes: Int = 32 << 20
  ) {
    self.head = head
    self.body = body
    self.connections = connections
    self.bytes = bytes
  }
}
