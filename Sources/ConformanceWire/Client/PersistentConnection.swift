import NIOCore

/// One connection for successive exchanges, as long as the server keeps it (RFC 9112 §9.3). It is for a caller that is
/// not on an event loop.
package struct PersistentConnection: Sendable {
  let loop: any EventLoop
  private let connections: NIOLoopBoundBox<KeptConnections?>

  init(on loop: any EventLoop) {
    self.loop = loop
    connections = .makeEmptyBox(valueType: KeptConnections.self, eventLoop: loop)
  }

  /// The store from which an exchange takes its connection, and to which the exchange returns that connection. Must be
  /// read on the loop.
  var kept: KeptConnections {
    if let known = connections.value { return known }
    let fresh = KeptConnections()
    connections.value = fresh
    return fresh
  }

  package func close() {
    loop.execute { connections.value?.close() }
  }
}
