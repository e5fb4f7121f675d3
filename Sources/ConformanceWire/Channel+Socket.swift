import CLinux
import Glibc
import NIOCore

extension Channel {
  /// The channel's socket. It may be used only as long as the channel is open. Must be read on the channel's loop.
  var socket: NIOBSDSocket.Handle? {
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
  }
}

extension NIOBSDSocket.Handle {
  /// Whether one of these events is pending for an open socket.
  func isReady(for events: Int16) -> Bool {
    var socket = pollfd(fd: self, events: events, revents: 0)
    return poll(&socket, 1, 0) > 0
  }

  /// Whether the socket has unread bytes, or the other side has ended the connection and the event loop does not know
  /// it yet.
  var hasInput: Bool { isReady(for: Int16(POLLIN) | clinux_poll_peer_ended) }
}
