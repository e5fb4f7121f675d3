/// Connections that stay open after their exchange, for the next exchange with the same endpoint (RFC 9112 §9.3). They
/// are confined to one loop.
///
/// A server may close a connection at any time. If a request is on its way at that moment, the client cannot know
/// whether the server has acted on the request. So a connection is checked before it is used. If the server runs on the
/// same machine, the client sees at once that the server has closed the connection.
package final class KeptConnections {
  /// The connections in the order of their last use. They are so few that a dictionary would be slower.
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
