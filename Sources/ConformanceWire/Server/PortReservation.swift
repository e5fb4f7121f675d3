import Glibc
import NIOCore
import Synchronization

/// Reserves a port number: binds a socket to the number, but does not listen. Connections to the number are refused,
/// and no other program can take the number while no server listens.
///
/// Linux lets sockets of one user share a number if all of them have SO_REUSEPORT, or if all of them have SO_REUSEADDR
/// and none of them listens. The reservation first needs SO_REUSEADDR, so that it can be bound while connections on the
/// number are in TIME_WAIT. It then needs SO_REUSEPORT, so that the kit's own server can share the number. Before the
/// reservation changes from SO_REUSEADDR to SO_REUSEPORT, it listens for a moment. This fails if another socket listens
/// on the number. See socket(7), ip(7).
package final class PortReservation: Sendable {
  /// The reserved address, with its port number.
  package let address: SocketAddress
  private let descriptor: Mutex<CInt?>

  /// Port 0 means a free number: a number from the kit's range or, if all tried numbers of that range are in use, a
  /// number from the system.
  package convenience init(_ wanted: SocketAddress) throws { try self.init(wanted, own: .own) }

  init(_ wanted: SocketAddress, own numbers: PortNumbers?) throws {
    let socket = wanted.port == 0 ? try Self.holdAny(of: numbers, like: wanted) : try Self.hold(wanted)
    do { address = try Self.localAddress(of: socket, like: wanted) } catch {
      close(socket)
      throw error
    }
    descriptor = Mutex(socket)
  }

  deinit { release() }

  /// Releases the number.
  package func release() {
    descriptor.withLock { descriptor in
      if let socket = descriptor { close(socket) }
      descriptor = nil
    }
  }

  /// A second socket on the number, to listen on. The caller closes it.
  func makeListeningSocket() throws -> CInt {
    let socket = try Self.socket(address)
    do {
      try Self.set(SO_REUSEADDR, true, socket)
      try Self.set(SO_REUSEPORT, true, socket)
      try Self.bind(socket, to: address)
    } catch {
      close(socket)
      throw error
    }
    return socket
  }

  /// A socket that is closed when this process starts another program: an adapter process that inherited the socket
  /// would keep the port open.
  private static func socket(_ address: SocketAddress) throws -> CInt {
    let family = address.protocol == .inet6 ? AF_INET6 : AF_INET
    let type = CInt(SOCK_STREAM.rawValue) | CInt(bitPattern: SOCK_CLOEXEC.rawValue)
    return try check(Glibc.socket(family, type, 0), "socket")
  }

  private static func set(_ option: CInt, _ isOn: Bool, _ socket: CInt) throws {
    var value: CInt = isOn ? 1 : 0
    _ = try check(setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<CInt>.size)), "setsockopt")
  }

  /// How many numbers from the kit's range are tried. If all of them are in use, as many numbers from the system are
  /// tried.
  private static let attempts = 20

  private static func holdAny(of numbers: PortNumbers?, like wanted: SocketAddress) throws -> CInt {
    var address = wanted
    for _ in 0..<attempts {
      guard let number = numbers?.take() else { break }
      address.port = number
      if let socket = try? hold(address) { return socket }
    }
    for _ in 0..<attempts {
      if let socket = try? hold(freeAddress(like: wanted)) { return socket }
    }
    return try hold(freeAddress(like: wanted))
  }

  /// An address with a number that the system chooses and that is free at the moment. The socket that got this number
  /// cannot serve as the reservation: Linux takes back a number that it chose itself once the socket is shut down.
  private static func freeAddress(like wanted: SocketAddress) throws -> SocketAddress {
    let socket = try Self.socket(wanted)
    defer { close(socket) }
    try bind(socket, to: wanted)
    return try localAddress(of: socket, like: wanted)
  }

  /// A socket that reserves an address.
  ///
  /// Two sockets that are bound at the same time can both get the number, if SO_REUSEADDR is still set on both. Then
  /// only one of them can listen. No other socket can be bound to the number until the listening socket has removed the
  /// option.
  private static func hold(_ address: SocketAddress) throws -> CInt {
    let socket = try Self.socket(address)
    do {
      // Connections of an earlier run in TIME_WAIT must not prevent the reservation.
      try set(SO_REUSEADDR, true, socket)
      try bind(socket, to: address)
      _ = try check(Glibc.listen(socket, 0), "listen at \(address)")
      try set(SO_REUSEADDR, false, socket)
      try set(SO_REUSEPORT, true, socket)
      _ = try check(shutdown(socket, CInt(SHUT_RDWR)), "shutdown")
    } catch {
      close(socket)
      throw error
    }
    return socket
  }

  private static func bind(_ socket: CInt, to address: SocketAddress) throws {
    _ = try address.withSockAddr { pointer, size in
      try check(Glibc.bind(socket, pointer, socklen_t(size)), "bind \(address)")
    }
  }

  private static func localAddress(of socket: CInt, like wanted: SocketAddress) throws -> SocketAddress {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    _ = try check(status, "getsockname")
    // The port is at the same offset in sockaddr_in and sockaddr_in6.
    let port = withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
    var address = wanted
    address.port = port
    return address
  }

  private static func check(_ result: CInt, _ what: String) throws -> CInt {
    guard result >= 0 else { throw IOError(errnoCode: errno, reason: what) }
    return result
  }
}
