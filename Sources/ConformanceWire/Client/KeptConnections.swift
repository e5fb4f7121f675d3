/// Connections that stay open after their exchange, for the next one with the same endpoint (RFC 9112 §9.3); confined
/// to one loop.
///
/// A server may close one at any time. A request that is on its way then may have been acted on or not, and nobody can
/// tell, so a connection is looked at before it is used: on one machine the end of the other side is there at once.
package final class KeptConnections {
  /// In the order in which they were used last. There are few: a table takes longer to make than to do without.
  private var connections: [(endpoint: WireEndpoint, connection: ClientConnection)] = []

  package init() {}

  /// Closes all of them.
  package func close() {
    for (_, connection) in connections { connection.channel.close(promise: nil) }
    connections = []
  }

  func keep(_ connection: ClientConnection, to endpoint: WireEndpoint) { connections.append((endpoint, connection)) }

  /// The one that was used last, if its server has neither closed it nor said something that nobody asked for.
  func take(_ endpoint: WireEndpoint) -> ClientConnection? {
    while let index = connections.lastIndex(where: { $0.endpoint == endpoint }) {
      let (_, connection) = connections.remove(at: index)
      if connection.isFresh { return connection }
      connection.channel.close(promise: nil)
    }
    return nil
  }
}
