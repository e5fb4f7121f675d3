import Glibc
import NIOCore
import Synchronization

/// Keeps a port number by a bound socket that never listens, so that connections to it are refused and nobody else can
/// take it while nothing listens.
///
/// Linux lets sockets of one user share a number when all of them have SO_REUSEPORT. The reservation gets the option
/// only after it is bound: binding itself fails when the number is taken, by another reservation too. It does not keep
/// SO_REUSEADDR, which would let a stranger with the same option in. See socket(7), ip(7).
package final class PortReservation: Sendable {
  /// The address with the number.
  package let address: SocketAddress
  private let descriptor: Mutex<CInt?>

  /// Port 0 takes a free number.
  package init(_ wanted: SocketAddress) throws {
    let socket = try Self.socket(wanted)
    do {
      // Connections of an earlier run that linger in TIME_WAIT must not keep us away.
      try Self.set(SO_REUSEADDR, true, socket)
      if !Self.bindToOwnNumber(socket, wanted) { try Self.bind(socket, to: wanted) }
      try Self.set(SO_REUSEADDR, false, socket)
      try Self.set(SO_REUSEPORT, true, socket)
      address = try Self.localAddress(of: socket, like: wanted)
    } catch {
      close(socket)
      throw error
    }
    descriptor = Mutex(socket)
  }

  deinit { release() }

  /// Gives the number back.
  package func release() {
    descriptor.withLock { descriptor in
      if let socket = descriptor { close(socket) }
      descriptor = nil
    }
  }

  /// A second socket on the number, to listen on; the caller closes it.
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

  /// Closed on exec: an adapter process that inherits the socket would keep the port open.
  private static func socket(_ address: SocketAddress) throws -> CInt {
    let family = address.protocol == .inet6 ? AF_INET6 : AF_INET
    let type = CInt(SOCK_STREAM.rawValue) | CInt(bitPattern: SOCK_CLOEXEC.rawValue)
    return try check(Glibc.socket(family, type, 0), "socket")
  }

  private static func set(_ option: CInt, _ isOn: Bool, _ socket: CInt) throws {
    var value: CInt = isOn ? 1 : 0
    _ = try check(setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<CInt>.size)), "setsockopt")
  }

  /// How many numbers are tried that are in use before the system is asked.
  private static let attempts = 20

  /// Takes one of our own numbers where any will do; false when it is still to be bound.
  private static func bindToOwnNumber(_ socket: CInt, _ wanted: SocketAddress) -> Bool {
    guard wanted.port == 0 else { return false }
    var address = wanted
    return (0..<attempts).contains { _ in
      address.port = PortNumbers.own.take()
      return address.port != nil && (try? bind(socket, to: address)) != nil
    }
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
    // The port stands at the same place in sockaddr_in and sockaddr_in6.
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
