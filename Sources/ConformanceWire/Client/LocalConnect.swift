import Glibc
import NIOCore

/// Connects to an address of this machine without an event loop. On one machine, the other side accepts or refuses a
/// connection at once.
///
/// An event loop expects that connecting takes long: it registers the socket, sets a timer and runs another round.
/// Without the loop, connecting is faster. This matters because most exchanges of the kit are with programs on the same
/// machine, and many of them use a connection of their own.
enum LocalConnect {
  /// A connected socket; nil if the address is on another machine, or if the connection is neither accepted nor refused
  /// at once, for example because the server's backlog is full. The caller then connects on the event loop, which
  /// waits.
  ///
  /// Throws `IOError` if the connection is refused.
  static func socket(to address: SocketAddress) throws -> NIOBSDSocket.Handle? {
    guard case .v4(let address) = address, address.isLoopback else { return nil }
    let type = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | CInt(bitPattern: $1.rawValue) }
    let socket = Glibc.socket(AF_INET, type, 0)
    guard socket >= 0 else { return nil }
    let failure = connect(socket, to: address.address)
    guard failure != 0 else { return socket }
    close(socket)
    if failure == EINPROGRESS { return nil }
    throw IOError(errnoCode: failure, reason: "connect")
  }

  /// Returns 0 if the socket is connected, `EINPROGRESS` if the outcome is not known yet, and another errno for a
  /// failure.
  private static func connect(_ socket: NIOBSDSocket.Handle, to address: sockaddr_in) -> CInt {
    var address = address
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result == 0 { return 0 }
    guard errno == EINPROGRESS, socket.isReady(for: Int16(POLLOUT)) else { return errno }
    var failure = CInt(0)
    var size = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 ? failure : errno
  }
}

extension SocketAddress.IPv4Address {
  /// Whether the address is in 127.0.0.0/8.
  fileprivate var isLoopback: Bool { UInt32(bigEndian: address.sin_addr.s_addr) >> 24 == 127 }
}
