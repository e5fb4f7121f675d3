import ConformanceWire
import NIOCore

/// Finds a port that nobody uses now, for a program that has to be told one before it starts.
enum FreePort {
  static func find() throws(AdapterFailure) -> Int {
    do {
      let reservation = try PortReservation(SocketAddress(ipAddress: "127.0.0.1", port: 0))
      defer { reservation.release() }
      return reservation.address.port ?? 0
    } catch {
      throw AdapterFailure(.start, "no free port can be found: \(error)")
    }
  }
}
