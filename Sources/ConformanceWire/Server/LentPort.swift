import Glibc
import NIOCore

/// A port number of the loopback interface that the kit gives to a program when it starts the program. As long as this
/// object exists, no server of the kit takes the number, in this run or in another run.
///
/// Before the program listens on its number, no socket listens there. So a server of another run could take the number,
/// and would then answer in place of the program. To prevent this, each run claims a number by binding a name in the
/// abstract namespace of Unix sockets. Binding succeeds or fails at once, and the system releases the name when the
/// process ends. Source: unix(7).
package final class LentPort: Sendable {
  package let number: Int
  /// The socket that is bound to the name.
  private let claim: CInt

  /// - Throws: ``IOError`` if no number is free.
  package init() throws {
    for _ in 0..<Self.attempts {
      let number = try Self.candidate()
      guard let claim = Self.claim(number) else { continue }
      guard Self.isFree(number) else {
        close(claim)
        continue
      }
      (self.number, self.claim) = (number, claim)
      return
    }
    throw IOError(errnoCode: EADDRINUSE, reason: "no port of \(Self.attempts) is free")
  }

  deinit { close(claim) }

  private static let attempts = 1000

  /// The next number of the kit's range for other programs. Without such a range, a free number from the system.
  private static func candidate() throws -> Int {
    if let number = PortNumbers.lent.take() { return number }
    let reservation = try PortReservation(SocketAddress(ipAddress: loopback, port: 0))
    defer { reservation.release() }
    return reservation.address.port ?? 0
  }

  private static let loopback = "127.0.0.1"

  private static func isFree(_ number: Int) -> Bool {
    guard let address = try? SocketAddress(ipAddress: loopback, port: number),
      let reservation = try? PortReservation(address)
    else { return false }
    reservation.release()
    return true
  }

  /// A socket that is bound to the name of a number; nil if another process has the name.
  private static func claim(_ number: Int) -> CInt? {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(bitPattern: SOCK_CLOEXEC.rawValue)
    let claim = socket(AF_UNIX, type, 0)
    guard claim >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name that begins with NUL is not a file.
    let name = Array("\0conform-port-\(number)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(claim, $0, size) }
    }
    guard status == 0 else {
      close(claim)
      return nil
    }
    return claim
  }
}
