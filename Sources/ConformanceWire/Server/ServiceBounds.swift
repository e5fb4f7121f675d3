/// Limits for a server that any client can reach: on the time of each client, and on the connections and memory of all
/// clients together.
///
/// The mock server of a case has no such limits, since the transcript of a case must show that a client is slow.
package struct ServiceBounds: Sendable {
  /// The longest real time that a client may take to send the head of a request. A connection without a request may
  /// stay open for the same time.
  package var head: Duration
  /// The longest real time that a client may take to send the body of a request; also, the longest real time that it
  /// may take to read an answer.
  package var body: Duration
  /// The largest number of connections that may be open at once.
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
