import Glibc
import NIOCore
import Testing

@testable import ConformanceWire

@Suite struct LocalConnectTests {
  @Test func whoListensIsThereAtOnce() throws {
    let reservation = try PortReservation(SocketAddress(ipAddress: "127.0.0.1", port: 0))
    let listening = try reservation.makeListeningSocket()
    defer { close(listening) }
    #expect(listen(listening, 1) == 0)
    let socket = try #require(try LocalConnect.socket(to: reservation.address))
    defer { close(socket) }
    #expect(fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
    let accepted = accept(listening, nil, nil)
    defer { close(accepted) }
    #expect(write(socket, "x", 1) == 1)
    #expect(accepted.isReady(for: Int16(POLLIN)))
  }

  @Test func whoRefusesDoesSoAtOnce() throws {
    let reservation = try PortReservation(SocketAddress(ipAddress: "127.0.0.1", port: 0))
    let error = #expect(throws: IOError.self) { try LocalConnect.socket(to: reservation.address) }
    #expect(error?.errnoCode == ECONNREFUSED)
  }

  /// The first address is reserved for documentation (RFC 5737 §3), so no host has it.
  @Test(arguments: ["192.0.2.1", "::1"])
  func othersAreForTheLoopToWaitFor(address: String) throws {
    #expect(try LocalConnect.socket(to: SocketAddress(ipAddress: address, port: 9)) == nil)
  }
}
