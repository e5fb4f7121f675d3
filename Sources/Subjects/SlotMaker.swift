import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import FoundationEssentials
import HTTPValues
import JSONKit
import Processes
import Recording
import Templates

/// Makes slots of a subject from its binding file. For each slot, it opens the ports that the subject calls. If the
/// file contains a start command, it starts the subject with the addresses of these ports, and waits until the subject
/// answers.
package struct SlotMaker: Sendable {
  /// The pause between two checks of whether a starting subject answers. The kit must check repeatedly, since nothing
  /// notifies it when a subject begins to listen.
  private static let pause = Duration.milliseconds(20)
  /// The time limits for a check of whether a running subject still answers.
  private static let glance = WireClient.Limits(connect: .seconds(2), exchange: .seconds(2), responseBytes: 1 << 20)

  private let catalogue: Catalogue
  private let ports: Ports
  private let provisioning: Provisioning
  private let urls: [ServiceName: String]
  private let folder: String
  private let client: WireClient
  private let obtained: ObtainedSecrets?
  /// The TLS for the ports that the subject calls. Nil if the start command does not use the run's certificate
  /// authority, so that the subject cannot trust these ports.
  private let tls: (any ServerTLS)?
  /// Whether the ports that the subject calls use TLS. They do so only if a capability of the role is to trust the
  /// run's certificate authority. In subjects of other roles, the HTTP clients possibly do not trust it.
  private let speaksTLS: Bool
  /// The time zone and the language that the program is started with; nil for the time zone and the language of the
  /// kit.
  private let locale: ProgramLocale?

  /// - Parameters:
  ///   - urls: the given addresses of the subject's services. A service that is not in the list gets a free port.
  ///   - folder: the folder of the binding file, in which the program runs.
  package init(
    catalogue: Catalogue, role: Role, provisioning: Provisioning, urls: [ServiceName: String], folder: String,
    client: WireClient, tls: (any ServerTLS)? = nil, obtained: ObtainedSecrets? = nil, locale: ProgramLocale? = nil
  ) {
    self.catalogue = catalogue
    ports = catalogue.definition.ports(of: role)
    self.provisioning = provisioning
    self.urls = urls
    self.folder = folder
    self.client = client
    self.obtained = obtained
    self.locale = locale
    speaksTLS = catalogue.definition.capabilities.contains { $0.isTrust && $0.roles.contains(role) }
    self.tls = provisioning.start?.asksForTrust == true ? tls : nil
  }

  /// Makes a slot and waits until it is ready.
  ///
  /// - Parameter isFirst: true for the first slot of a run. Before the first slot is used, the clean-up request removes
  ///   remains of earlier runs.
  /// - Throws: ``ProvisioningProblem``, or ``ProgramFailure`` if the program cannot be started.
  package func make(isFirst: Bool = false) async throws -> Slot {
    var upstream: [UpstreamPort] = []
    for service in ports.upstream {
      // Every system resolves this name. The kit cannot provide other names to a program.
      upstream.append(
        try await UpstreamPort.open(service, tls: speaksTLS ? tls : nil, name: "localhost", clock: ScaledClock()))
    }
    let trust = try tls.map { try TrustFile($0.authority) }
    do {
      return try await slot(upstream, trust, isFirst: isFirst)
    } catch {
      for port in upstream { await port.close() }
      trust?.folder.remove()
      throw error
    }
  }

  /// How many times the kit tries to start a program that ends at once. Such a program possibly ended because another
  /// program took its port after the kit had chosen the port. The next attempt chooses another port.
  private static let starts = 3

  private func slot(
    _ upstream: [UpstreamPort], _ trust: TrustFile?, isFirst: Bool, startsLeft: Int = starts
  ) async throws -> Slot {
    let (urls, lent) = try addresses()
    var server = try ServerUnderTest(urls: urls, provisioning: provisioning, folder: folder, client: client)
    server.trustsRun = trust != nil && speaksTLS
    guard let start = provisioning.start else {
      server = try await prepared(server, urls, isFirst)
      try await probe(server, upstream)
      return Slot(server: server, ports: upstream)
    }
    var bindings = server.bindings
    for port in upstream { bindings[port.service.rawValue] = port.address(mount: "") }
    if let trust { bindings["trust"] = ["file": .string(trust.path)] }
    let process = try begin(start, bindings)
    do {
      try await waitUntilReady(server, process, start)
      server = try await prepared(server, urls, isFirst)
      try await probe(server, upstream)
    } catch {
      let hasExited = process.exit != nil
      await process.end()
      guard hasExited, startsLeft > 1, urls != self.urls else { throw error }
      return try await slot(upstream, trust, isFirst: isFirst, startsLeft: startsLeft - 1)
    }
    let asking = client.limited(to: Self.glance)
    let isShared = ports.upstream.isEmpty
    return Slot(
      server: server, ports: upstream, process: process, lent: lent, isShared: isShared, trust: trust?.folder
    ) { [server] in
      await Self.answers(server, at: start.readyPath, client: asking)
    }
  }

  /// Sends the clean-up and log-in requests of the binding file, and returns the server with the values from the log-in
  /// responses.
  private func prepared(
    _ server: ServerUnderTest, _ urls: [ServiceName: String], _ isFirst: Bool
  ) async throws(ProvisioningProblem) -> ServerUnderTest {
    var prepared = try await ServerUnderTest.prepared(
      urls: urls, provisioning: provisioning, folder: folder, client: client, cleansUp: isFirst, obtained: obtained)
    prepared.trustsRun = server.trustsRun
    return prepared
  }

  /// The addresses of the subject's services. A service without a given address gets a free port of this machine.
  private func addresses() throws -> (urls: [ServiceName: String], lent: [LentPort]) {
    var (all, lent) = (urls, [LentPort]())
    for service in ports.downstream where all[service] == nil {
      guard provisioning.start != nil else {
        throw ProvisioningProblem("the address of the service '\(service)' is missing: give 'urls', or 'start'")
      }
      do { lent.append(try LentPort()) } catch {
        throw ProgramFailure(.start, "no free port can be found: \(error)")
      }
      all[service] = "http://127.0.0.1:\(lent[lent.count - 1].number)"
    }
    return (all, lent)
  }

  private func command(_ start: Provisioning.Start, _ bindings: Bindings) throws(ProvisioningProblem) -> ProgramCommand
  {
    var words: [String] = []
    var environment: [String: String] = [:]
    do throws(Template.RenderError) {
      for template in start.program { words.append(try template.renderText(bindings)) }
      for (name, template) in start.environment { environment[name] = try template.renderText(bindings) }
    } catch {
      throw ProvisioningProblem(error, names: bindings, at: start.place)
    }
    guard let program = words.first else {
      throw ProvisioningProblem("'program' is empty: name a program and its arguments", at: start.place)
    }
    let command = ProgramCommand(
      executable: ProgramHook.path(program, in: folder), arguments: Array(words.dropFirst()), environment: environment)
    return locale.map(command.placed) ?? command
  }

  /// Starts the program. If the program cannot be started, this is reported as a problem of the binding file, unless
  /// the machine lacks resources.
  private func begin(_ start: Provisioning.Start, _ bindings: Bindings) throws -> SubjectProcess {
    let command = try command(start, bindings)
    do throws(ProgramFailure) {
      return try SubjectProcess.start(command, in: folder)
    } catch {
      guard error.kind == .start else { throw error }
      throw ProvisioningProblem(error.text, at: start.place)
    }
  }

  /// Whether each service of the subject answers a request. Any status counts as an answer.
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
    var deadline = Heartbeat.shared.now + .milliseconds(start.readyWithin.milliseconds)
    var forgiven = ProcessorWait.Forgiven()
    for address in server.addresses.sorted(by: { $0.key < $1.key }).map(\.value) {
      while true {
        let request = HTTPRequest(method: "GET", target: address.basePath + start.readyPath)
        do throws(WireFailure) {
          _ = try await client.limited(to: Self.rest(until: deadline)).send(request, to: address.endpoint)
          break
        } catch {
          try checkIsRunning(process, start, at: address)
          if Heartbeat.shared.now > deadline {
            guard let more = forgiven.more(of: process.processorWait) else {
              try checkIsRunning(process, start, at: address)
              throw Self.silence(of: process, start, at: address)
            }
            deadline += more
          }
        }
        try await Task.sleep(for: Self.pause)
      }
      // Another program may have answered. If that program has taken the port, the subject's own process ends at once.
      try checkIsRunning(process, start, at: address)
    }
  }

  /// The time limits for one check of whether a starting subject answers. The check can take all the time until the
  /// deadline.
  private static func rest(until deadline: Heartbeat.Instant) -> WireClient.Limits {
    let rest = max(pause, Heartbeat.shared.now.duration(to: deadline))
    return WireClient.Limits(connect: rest, exchange: rest, responseBytes: 1 << 20)
  }

  /// Sends the probe, if the binding file contains one. Throws if the subject does not call the kit's services because
  /// of the probe, since the kit cannot judge such a subject.
  private func probe(_ server: ServerUnderTest, _ upstream: [UpstreamPort]) async throws {
    guard let probe = provisioning.probe else { return }
    let dialect = provisioning.dialect ?? catalogue.definition.dialects.first ?? .any
    guard let exchange = catalogue.exchange(probe.exchange), let address = server.addresses[exchange.service],
      let template = server.requests[exchange.name] ?? exchange.request(in: dialect)
    else {
      throw ProvisioningProblem(
        "the request for '\(probe.exchange)' is unknown: give it in 'exchanges'", at: probe.place)
    }
    var request = try request(probe, exchange, template, server, dialect)
    request.target = address.basePath + request.target
    for field in server.headers.fields where request.headers[field.name] == nil { request.headers.fields.append(field) }
    let answer: ProbeAnswer
    do throws(WireFailure) {
      answer = .status(try await client.send(request, to: address.endpoint).status)
    } catch {
      answer = .none(error.text)
    }
    await UpstreamPort.readDry(upstream)
    guard let port = upstream.first(where: { probe.reaches.contains($0.service) && !$0.hasBeenCalled }) else { return }
    let url = port.address(mount: "")["url"]?.string ?? ""
    throw ProvisioningProblem(
      "no request arrived at '\(port.service)', which the kit plays at \(url), after '\(exchange.name)' was sent with"
        + " \(request.method) \(request.target): \(answer.advice(for: port.service, exchange))", at: probe.place)
  }

  private func request(
    _ probe: Provisioning.Probe, _ exchange: Exchange, _ template: Exchange.Request, _ server: ServerUnderTest,
    _ dialect: Dialect
  ) throws -> HTTPRequest {
    let names = server.bindings.merging(
      CaseInstance(id: "probe", row: nil, dialect: dialect).bindings(epoch: Timestamp.now.milliseconds))
    do {
      return try SentRequest(
        Step.Send(exchange: exchange.name, with: probe.with), exchange: exchange, template: template, bindings: names,
        models: catalogue.models
      ).request
    } catch let error as Template.RenderError {
      throw ProvisioningProblem(error, names: names, at: probe.place)
    }
  }

  private static func silence(
    of process: SubjectProcess, _ start: Provisioning.Start, at address: ServerUnderTest.Address
  ) -> ProvisioningProblem {
    ProvisioningProblem(
      "the subject does not answer at \(address.url)\(start.readyPath) within \(start.readyWithin): does it listen at the"
        + " port that 'start' gives it?\(lastWords(of: process))", at: start.place)
  }

  private func checkIsRunning(
    _ process: SubjectProcess, _ start: Provisioning.Start, at address: ServerUnderTest.Address
  ) throws(ProvisioningProblem) {
    guard let exit = process.exit else { return }
    throw ProvisioningProblem(
      "the subject \(exit) before it answered at \(address.url)\(Self.lastWords(of: process))", at: start.place)
  }

  private static func lastWords(of process: SubjectProcess) -> String {
    process.lastWords.isEmpty ? "" : ". It wrote last: \(process.lastWords)"
  }
}

/// A file with the certificate of the run's certificate authority. The start command gives its path to programs that
/// read such a certificate from a file.
private struct TrustFile {
  let folder: StorageFolder
  let path: String

  init(_ authority: String) throws {
    folder = try StorageFolder()
    path = folder.path + "/authority.pem"
    try authority.write(toFile: path, atomically: false, encoding: .utf8)
  }
}

/// The subject's answer to the probe.
private enum ProbeAnswer {
  case status(Int)
  /// The subject sent no answer, for this reason.
  case none(String)

  /// A text that explains, from this answer, why the subject probably did not call the service. It names the part of
  /// the binding file that the author should check.
  func advice(for service: ServiceName, _ exchange: Exchange) -> String {
    switch self {
    case .status(404), .status(405):
      "it answered \(code): is this how '\(exchange.name)' is asked for? 'exchanges' says so"
    case .status(401), .status(403):
      "it answered \(code): does it know what 'probe' asks with? Look at 'with', 'values' and 'headers'"
    case .status(400..<500):
      "it answered \(code): is the request that 'exchanges' and 'with' make a right one?"
    case .status:
      "it answered \(code): does the subject call the address that it was given, as ${\(service).url} in 'start'?"
    case .none(let reason):
      "\(reason): does the subject call the address that it was given, as ${\(service).url} in 'start'?"
    }
  }

  private var code: String { if case .status(let status) = self { "\(status)" } else { "nothing" } }
}
