import ConformanceModel
import ConformanceWire
import JSONKit

/// Makes slots of a subject by its binding file: opens the ports that it calls, starts it with them where the kit is to do
/// that, and waits until it answers.
package struct SlotMaker: Sendable {
  /// How long the kit waits before it looks again whether a subject answers: nothing tells when one begins to listen.
  private static let pause = Duration.milliseconds(20)
  /// What asking a subject whether it is still there may take.
  private static let glance = WireClient.Limits(connect: .seconds(2), exchange: .seconds(2), responseBytes: 1 << 20)

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

  /// How often a program is started with other ports when it ends at once: between the choice of a port and its use
  /// another program may take it.
  private static let starts = 3

  private func slot(_ upstream: [UpstreamPort], startsLeft: Int = starts) async throws -> Slot {
    let urls = try ownURLs()
    let server = try ServerUnderTest(urls: urls, provisioning: provisioning, folder: folder, client: client)
    guard let start = provisioning.start else {
      try await probe(server, upstream)
      return Slot(server: server, ports: upstream)
    }
    var bindings = server.bindings
    for port in upstream { bindings[port.service.rawValue] = port.address(mount: "") }
    let process = try SubjectProcess.start(try command(start, bindings), in: folder)
    do {
      try await waitUntilReady(server, process, start)
      try await probe(server, upstream)
    } catch {
      let hasExited = process.exit != nil
      await process.end()
      guard hasExited, startsLeft > 1, urls != self.urls else { throw error }
      return try await slot(upstream, startsLeft: startsLeft - 1)
    }
    let asking = client.limited(to: Self.glance)
    return Slot(server: server, ports: upstream, process: process) {
      await Self.answers(server, at: start.readyPath, client: asking)
    }
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

  /// Whether each service of the subject answers, whatever with.
  private static func answers(_ server: ServerUnderTest, at path: String, client: WireClient) async -> Bool {
    for address in server.addresses.values {
      do throws(WireFailure) {
        _ = try await client.send(HTTPRequest(method: "GET", target: address.basePath + path), to: address.endpoint)
      } catch {
        return false
      }
    }
    return true
  }

  private func waitUntilReady(
    _ server: ServerUnderTest, _ process: SubjectProcess, _ start: Provisioning.Start
  ) async throws {
    let deadline = Heartbeat.shared.now + .milliseconds(start.readyWithin.milliseconds)
    for address in server.addresses.sorted(by: { $0.key < $1.key }).map(\.value) {
      while true {
        let request = HTTPRequest(method: "GET", target: address.basePath + start.readyPath)
        do throws(WireFailure) {
          _ = try await client.limited(to: Self.rest(until: deadline)).send(request, to: address.endpoint)
          break
        } catch {
          try stop(process, start, address, deadline)
        }
        try await Task.sleep(for: Self.pause)
      }
      // Who answered may be somebody else: a port that another program has taken lets ours end at once.
      try checkIsRunning(process, at: address)
    }
  }

  /// One question may take all the time that is left, and no more.
  private static func rest(until deadline: Heartbeat.Instant) -> WireClient.Limits {
    let rest = max(pause, Heartbeat.shared.now.duration(to: deadline))
    return WireClient.Limits(connect: rest, exchange: rest, responseBytes: 1 << 20)
  }

  /// Asks what reaches the services that the subject calls, where the file says so: a subject that calls elsewhere is
  /// not judged.
  private func probe(_ server: ServerUnderTest, _ upstream: [UpstreamPort]) async throws {
    guard let probe = provisioning.probe else { return }
    let dialect = provisioning.dialect ?? catalogue.definition.dialects.first ?? .any
    guard let exchange = catalogue.exchange(probe.exchange), let address = server.addresses[exchange.service],
      let template = server.requests[exchange.name] ?? exchange.request(in: dialect)
    else { throw ProvisioningProblem("nobody said how '\(probe.exchange)' is asked for, by which 'probe' asks") }
    let names = CasePerformance.bindings(
      CaseInstance(id: "probe", row: nil, dialect: dialect), epoch: Timestamp.now.milliseconds)
    var request = try SentRequest(
      Step.Send(exchange: exchange.name, with: probe.with), exchange: exchange, template: template,
      bindings: server.bindings.merging(names), models: catalogue.models, clientAddressHeader: nil
    ).request
    request.target = address.basePath + request.target
    for field in server.headers.fields where request.headers[field.name] == nil { request.headers.fields.append(field) }
    let answer: String
    do throws(WireFailure) {
      answer = "it answered \(try await client.send(request, to: address.endpoint).status)"
    } catch {
      answer = error.text
    }
    for port in upstream { await port.readDry() }
    guard let port = upstream.first(where: { probe.reaches.contains($0.service) && !$0.hasBeenCalled }) else { return }
    let url = port.address(mount: "")["url"]?.string ?? ""
    throw ProvisioningProblem(
      "nothing arrived at '\(port.service)', which the kit plays at \(url), when 'probe' asked for '\(exchange.name)'"
        + " (\(answer)): does the subject call the address that it was given, as ${\(port.service).url} in 'start'?")
  }

  /// Throws when it cannot or need not be waited any longer.
  private func stop(
    _ process: SubjectProcess, _ start: Provisioning.Start, _ address: ServerUnderTest.Address,
    _ deadline: Heartbeat.Instant
  ) throws {
    try checkIsRunning(process, at: address)
    if Heartbeat.shared.now > deadline + process.processorWait {
      throw ProvisioningProblem(
        "the subject does not answer at \(address.url)\(start.readyPath) within \(start.readyWithin): does it listen at the"
          + " port that 'start' tells it?\(Self.lastWords(of: process))")
    }
  }

  private func checkIsRunning(
    _ process: SubjectProcess, at address: ServerUnderTest.Address
  ) throws(ProvisioningProblem) {
    guard let exit = process.exit else { return }
    throw ProvisioningProblem(
      "the subject \(exit) before it answered at \(address.url)\(Self.lastWords(of: process))")
  }

  private static func lastWords(of process: SubjectProcess) -> String {
    process.lastWords.isEmpty ? "" : ". It wrote last: \(process.lastWords)"
  }
}
