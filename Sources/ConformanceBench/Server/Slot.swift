import ConformanceModel
import ConformanceWire

/// A subject that is called, and the ports at which it calls the kit: lent to one case at a time where it has any.
package final class Slot: Sendable {
  package let server: ServerUnderTest
  /// The ports of the services that the subject was told of when it started.
  let ports: [UpstreamPort]
  /// The process, where the kit started it.
  let process: SubjectProcess?

  init(server: ServerUnderTest, ports: [UpstreamPort] = [], process: SubjectProcess? = nil) {
    self.server = server
    self.ports = ports
    self.process = process
  }

  /// Ends the process, if it is ours, and closes the ports.
  package func close() async {
    await process?.end()
    for port in ports { await port.close() }
  }
}
