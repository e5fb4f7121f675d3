import Glibc
import NIOCore

/// Connects to an address of this machine, whose other side takes a connection or refuses it at once.
///
/// An event loop takes connecting for something that takes long: it registers the socket, sets a timer beside it, and goes
/// round once more. Most exchanges of a kit are with somebody on the same machine, and many are alone on their connection.
enum LocalConnect {
  /// A socket that is connected; nil where the address is another machine's, or nobody takes or refuses it at once, as
  /// when a server is behind with its connections: then it is for the loop to wait.
  ///
  /// Throws `IOError` when it is refused.
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

  /// 0 when it is connected, an errno when it failed, `EINPROGRESS` when neither is known yet.
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
  /// Whether it is one of 127.0.0.0/8.
  fileprivate var isLoopback: Bool { UInt32(bigEndian: address.sin_addr.s_addr) >> 24 == 127 }
}
