import Glibc
import NIOCore
import Processes

/// The program that the kit starts in place of an adapter that it cannot start. It copies bytes between its standard
/// streams and the carrier. So the kit applies the same limits, and records the same evidence and endings, as for an
/// adapter that it starts itself.
///
/// It blocks. One thread reads stdin, and another thread reads the connection.
package enum Relay {
  /// Copies bytes until stdin or the connection ends. Returns the exit code.
  ///
  /// - Parameter place: the port of the service and the key of the connection, such as `40123:5f1c…`.
  package static func run(_ place: String) -> Int32 {
    let parts = place.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[0]), let socket = connected(to: port) else {
      say("the kit does not listen at '\(place)'")
      return 1
    }
    ignoreBrokenPipes()
    write(Array(parts[1].utf8), to: socket)
    let isStarted = OwnThread.run { carryInput(to: socket) }
    guard isStarted else { return 1 }
    return carryOutput(from: socket)
  }

  private static func connected(to port: UInt16) -> Int32? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { return nil }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    return socket
  }

  private static func carryInput(to socket: Int32) {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(0, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return send(.end, to: socket) }
      send(.bytes(ByteBuffer(bytes: piece[..<count])), to: socket)
    }
  }

  private static func carryOutput(from socket: Int32) -> Int32 {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var received = ByteBuffer()
    while true {
      let count = read(socket, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return 0 }
      received.writeBytes(piece[..<count])
      while let frame = RelayFrame.read(from: &received) {
        switch frame {
        case .bytes(let bytes): write(Array(bytes.readableBytesView), to: 1)
        case .log(let text): say(text)
        case .failure(let text):
          say(text)
          return 1
        case .end: return 0
        }
      }
      received.discardReadBytes()
    }
  }

  private static func say(_ text: String) { write(Array((text + "\n").utf8), to: 2) }

  private static func send(_ frame: RelayFrame, to socket: Int32) {
    var buffer = ByteBuffer()
    frame.write(into: &buffer)
    write(Array(buffer.readableBytesView), to: socket)
  }

  /// Writes all bytes. Stops early if the reader closes the pipe.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
