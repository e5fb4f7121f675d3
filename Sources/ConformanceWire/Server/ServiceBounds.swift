/// What clients together may take of a server that anybody can reach: time, connections and memory.
///
/// The mock of a case has none of them: there a client that is slow is evidence.
package struct ServiceBounds: Sendable {
  /// How long the head of a request may take, and a connection may stay without one; in real time.
  package var head: Duration
  /// How long a body may take, and the reading of an answer; in real time.
  package var body: Duration
  /// How many connections are open at once.
  package var connections: Int
  /// How many bytes of requests that are not answered yet are kept, of all connections together.
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
