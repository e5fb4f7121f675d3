import ConformanceModel
import ConformanceWire
import JSONKit

/// Makes slots of a subject by its binding file: opens the ports that it calls, starts it with them where the kit is to do
/// that, and waits until it answers.
package struct SlotMaker: Sendable {
  /// How long the kit waits before it looks again whether a subject answers: nothing tells when one begins to listen.
  private static let pause = Duration.milliseconds(20)

  private let catalogue: Catalogue
  private let ports: Ports
  private let provisioning: Provisioning
  private let urls: [ServiceName: String]
  private let folder: String
  private let client: WireClient

  /// - Parameters:
  ///   - urls: where the subject listens, by service; what is missing gets a free port of its own.
  ///   - folder: that of the binding file, in which the program runs.
  package init(
    catalogue: Catalogue, role: Role, provisioning: Provisioning, urls: [ServiceName: String], folder: String,
    client: WireClient
  ) {
    self.catalogue = catalogue
    ports = catalogue.definition.ports(of: role)
    self.provisioning = provisioning
    self.urls = urls
    self.folder = folder
    self.client = client
  }

  /// A slot that is ready.
  ///
  /// - Throws: ``ProvisioningProblem``, or ``AdapterFailure`` when the program cannot be started.
  package func make() async throws -> Slot {
    var upstream: [UpstreamPort] = []
    for service in ports.upstream { upstream.append(try await UpstreamPort.open(service, clock: RealClock())) }
    do {
      return try await slot(upstream)
    } catch {
      for port in upstream { await port.close() }
      throw error
    }
  }

  private func slot(_ upstream: [UpstreamPort]) async throws -> Slot {
    let urls = try ownURLs()
    let server = try ServerUnderTest(urls: urls, provisioning: provisioning, folder: folder, client: client)
    guard let start = provisioning.start else { return Slot(server: server, ports: upstream) }
    var bindings = server.bindings
    for port in upstream { bindings[port.service.rawValue] = port.address(mount: "") }
    let process = try SubjectProcess.start(try command(start, bindings), in: folder)
    do {
      try await waitUntilReady(server, process, start)
    } catch {
      await process.end()
      throw error
    }
    return Slot(server: server, ports: upstream, process: process)
  }

  /// Where the services listen: where the file says, else at a port that is free now.
  private func ownURLs() throws -> [ServiceName: String] {
    var all = urls
    for service in ports.downstream where all[service] == nil {
      guard provisioning.start != nil else {
        throw ProvisioningProblem("nobody said where the service '\(service)' listens: give 'urls', or 'start'")
      }
      all[service] = "http://127.0.0.1:\(try FreePort.find())"
    }
    return all
  }

  private func command(_ start: Provisioning.Start, _ bindings: Bindings) throws -> AdapterCommand {
    let words = try start.program.map { try $0.renderText(bindings) }
    let environment = try start.environment.mapValues { try $0.renderText(bindings) }
    guard let program = words.first else { throw ProvisioningProblem("'start' names no program") }
    return AdapterCommand(
      executable: ProgramHook.path(program, in: folder), arguments: Array(words.dropFirst()), environment: environment)
  }

  private func waitUntilReady(
    _ server: ServerUnderTest, _ process: SubjectProcess, _ start: Provisioning.Start
  ) async throws {
    let deadline = ContinuousClock.now + .milliseconds(start.readyWithin.milliseconds)
    for address in server.addresses.sorted(by: { $0.key < $1.key }).map(\.value) {
      while true {
        let request = HTTPRequest(method: "GET", target: address.basePath + start.readyPath)
        do throws(WireFailure) {
          _ = try await client.send(request, to: address.endpoint)
          break
        } catch {
          try stop(process, start, address, deadline)
        }
        try await Task.sleep(for: Self.pause)
      }
    }
  }

  /// Throws when it cannot or need not be waited any longer.
  private func stop(
    _ process: SubjectProcess, _ start: Provisioning.Start, _ address: ServerUnderTest.Address,
    _ deadline: ContinuousClock.Instant
  ) throws {
    let words = process.lastWords.isEmpty ? "" : ". It wrote last: \(process.lastWords)"
    if let exit = process.exit {
      throw ProvisioningProblem("the subject \(exit) before it answered at \(address.url)\(words)")
    }
    if ContinuousClock.now > deadline {
      throw ProvisioningProblem(
        "the subject does not answer at \(address.url)\(start.readyPath) within \(start.readyWithin): does it listen at the"
          + " port that 'start' tells it?\(words)")
    }
  }
}
