import CLinux
import Glibc
import NIOCore

extension Channel {
  /// The socket, which is the channel's as long as that is open. To be asked for on its loop.
  var socket: NIOBSDSocket.Handle? {
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
  }
}

extension NIOBSDSocket.Handle {
  /// Whether the system has one of these events for an open socket now.
  func isReady(for events: Int16) -> Bool {
    var socket = pollfd(fd: self, events: events, revents: 0)
    return poll(&socket, 1, 0) > 0
  }

  /// Whether bytes or the end of the other side lie at the socket, read by nobody yet.
  var hasInput: Bool { isReady(for: Int16(POLLIN) | clinux_poll_peer_ended) }
}
