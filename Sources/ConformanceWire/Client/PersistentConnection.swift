import NIOCore

/// One connection for exchanges that follow each other, as long as the server keeps it (RFC 9112 §9.3); for a caller that
/// lives on no event loop.
package struct PersistentConnection: Sendable {
  let loop: any EventLoop
  private let connections: NIOLoopBoundBox<KeptConnections?>

  init(on loop: any EventLoop) {
    self.loop = loop
    connections = .makeEmptyBox(valueType: KeptConnections.self, eventLoop: loop)
  }

  /// What an exchange takes its connection from and leaves it to; to be asked for on the loop.
  var kept: KeptConnections {
    if let known = connections.value { return known }
    let fresh = KeptConnections()
    connections.value = fresh
    return fresh
  }

  /// Closes what is open.
  package func close() {
    loop.execute { connections.value?.close() }
  }
}
