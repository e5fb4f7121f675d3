/// Limits of a server that any client can reach: on the time of each client, and on connections and memory of all
/// clients together.
///
/// The mock of a case has no such limits, since there a slow client is evidence.
package struct ServiceBounds: Sendable {
  /// The longest real time that a client may take to send the head of a request; also, the longest time that a
  /// connection may stay open without a request.
  package var head: Duration
  /// The longest real time that a client may take to send the body of a request, and to read an answer.
  package var body: Duration
  /// The most connections that are open at once.
  package var connections: Int
  /// The largest number of bytes of requests that all connections together keep.
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
