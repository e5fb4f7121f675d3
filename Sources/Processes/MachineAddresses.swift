import NIOCore

/// The addresses of this machine in its networks.
package enum MachineAddresses {
  /// Whether a server that listens at this address listens at all addresses of the machine.
  package static func isWildcard(_ host: String) -> Bool { ["0.0.0.0", "::"].contains(host) }

  /// The IP addresses of the network interfaces, loopback included. Empty if the system does not list them.
  package static var all: [String] {
    ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
  }

  /// The address at which other devices probably reach the machine: an IPv4 address, if there is one. Loopback if the
  /// machine is in no network.
  package static func reachable(of addresses: [String] = all) -> String {
    let outer = addresses.filter { $0 != "::1" && !$0.hasPrefix("127.") && !$0.hasPrefix("fe80:") }
    return outer.first { !$0.contains(":") && !$0.hasPrefix("169.254.") } ?? outer.first ?? "127.0.0.1"
  }
}
