import ConformanceWire
import Glibc

/// Finds a port that nobody uses now, for a program that has to be told one before it starts.
enum FreePort {
  /// How many of our own numbers are tried before the system is asked.
  private static let attempts = 20

  /// One of our own numbers, which no connection of anybody has meanwhile; else whatever the system finds.
  static func find() throws(AdapterFailure) -> Int {
    for _ in 0..<attempts {
      if let number = PortNumbers.take(), let port = try? bind(number) { return port }
    }
    return try bind(0)
  }

  private static func bind(_ port: Int) throws(AdapterFailure) -> Int {
    let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(bitPattern: SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw failure() }
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        Glibc.bind(socket, pointer, size) == 0 ? getsockname(socket, pointer, &size) : -1
      }
    }
    guard code == 0 else { throw failure() }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func failure() -> AdapterFailure {
    AdapterFailure(.start, "no free port can be found: \(String(cString: strerror(errno)))")
  }
}
