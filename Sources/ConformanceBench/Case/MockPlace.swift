import Processes
import Subjects

/// The place at which the mock servers of a case listen.
package struct MockPlace: Hashable, Sendable {
  /// The address to listen at. `0.0.0.0` and `::` stand for all addresses of the machine.
  package var address: String
  /// The port of the first service of the protocol. Each further service has the next port. 0 means free ports.
  package var firstPort: Int

  package init(address: String = UpstreamPort.loopback, firstPort: Int = 0) {
    self.address = address
    self.firstPort = firstPort
  }

  /// The host in the URLs that the subject gets. Connections to this host arrive at ``address``.
  var host: String {
    let reachable = MachineAddresses.isWildcard(address) ? MachineAddresses.reachable() : address
    return reachable.contains(":") ? "[\(reachable)]" : reachable
  }

  /// The port of a service. `index` is the position, from 0, of the service in the protocol's list of services.
  func port(of index: Int) -> Int { firstPort == 0 ? 0 : firstPort + index }
}
