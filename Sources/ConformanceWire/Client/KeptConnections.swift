/// Connections that stay open after their exchange, for the next exchange with the same endpoint (RFC 9112 §9.3). They
/// are confined to one loop.
///
/// A server may close a connection at any time. It may or may not have acted on a request that is on its way then, and
/// the client cannot know. So a connection is checked before it is used: on one machine the end of the other side is
/// visible at once.
package final class KeptConnections {
  /// In the order of their last use. There are so few that a dictionary would be slower.
  private var connections: [(endpoint: WireEndpoint, connection: ClientConnection)] = []

  package init() {}

  package func close() {
    for (_, connection) in connections { connection.channel.close(promise: nil) }
    connections = []
  }

  func keep(_ connection: ClientConnection, to endpoint: WireEndpoint) { connections.append((endpoint, connection)) }

  /// Takes the last used connection to the endpoint, if its server has neither closed it nor sent unexpected bytes.
  func take(_ endpoint: WireEndpoint) -> ClientConnection? {
    while let index = connections.lastIndex(where: { $0.endpoint == endpoint }) {
      let (_, connection) = connections.remove(at: index)
      if connection.isFresh { return connection }
      connection.channel.close(promise: nil)
    }
    return nil
  }
}
