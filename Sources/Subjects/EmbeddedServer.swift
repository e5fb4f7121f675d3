import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Processes
import Synchronization
import Templates

/// A server model or a no-op server that listens at real ports. `conform serve` runs such a server. It can also be the
/// subject under test of a run.
package final class EmbeddedServer: Sendable {
  /// The way in which the server answers requests.
  package enum Behaviour: Sendable {
    /// The server answers as this server model decides.
    case model(any ServerModel)
    /// Every request gets the same response.
    case constant(HTTPResponse)
    /// Every request gets its own body back.
    case echo
    /// The server answers no request. It closes the connection of each request.
    case hangUp
  }

  /// Functions with which the owner of a server observes or changes the server's work.
  package struct Hooks: Sendable {
    /// Returns the answer to a request in place of the server. If it returns nil, the server itself answers.
    var intercept: @Sendable (RequestRecord) -> WireReply?
    /// Returns a fault that is caused in the next answer; nil if the answer has no fault.
    var fault: @Sendable () -> Fault.Kind?
    /// Returns a barrier that holds back the answer to a request; nil if the answer is sent at once.
    var hold: @Sendable (RequestRecord) -> WireBarrier?
    /// Receives each event at a port of the server, with the service to which the port belongs.
    var watch: @Sendable (ServiceName, WireEvent) -> Void

    package init(
      intercept: @escaping @Sendable (RequestRecord) -> WireReply? = { _ in nil },
      fault: @escaping @Sendable () -> Fault.Kind? = { nil },
      hold: @escaping @Sendable (RequestRecord) -> WireBarrier? = { _ in nil },
      watch: @escaping @Sendable (ServiceName, WireEvent) -> Void = { _, _ in }
    ) {
      (self.intercept, self.fault, self.hold, self.watch) = (intercept, fault, hold, watch)
    }
  }

  private let ports: [MockServer]
  private let responder: Responder
  /// The base URLs by service.
  package let urls: [ServiceName: String]

  private init(ports: [MockServer], responder: Responder, urls: [ServiceName: String]) {
    self.ports = ports
    self.responder = responder
    self.urls = urls
  }

  /// The prefix of paths at which the server accepts operator commands, if it is started with `control`.
  package static let controlPath = "/_conform/"

  /// Starts the server with a port for each service.
  ///
  /// - Parameters:
  ///   - host: the address to listen at. If this is a wildcard for all addresses of the machine, the URLs contain the
  ///     address that other devices can reach.
  ///   - port: the port of the first service. Further services get the port numbers after it. 0 chooses free ports.
  ///   - control: if set, `POST /_conform/COMMAND` performs an operator command, with its parameters as JSON.
  ///   - bounds: limits on the time of each client, and on the connections and memory of all clients together. If it is
  ///     nil, nothing is limited.
  /// - Throws: ``MockServer/ListenFailure``.
  package static func start(
    _ behaviour: Behaviour, services: [ServiceName], host: String = "127.0.0.1", port: Int = 0,
    control: CommandChecks? = nil, bounds: ServiceBounds? = nil, hooks: Hooks = Hooks()
  ) async throws -> EmbeddedServer {
    let responder = Responder(behaviour, control, hooks)
    let reachable = MachineAddresses.isWildcard(host) ? MachineAddresses.reachable() : host
    let name = reachable.contains(":") ? "[\(reachable)]" : reachable
    var ports: [MockServer] = []
    var urls: [ServiceName: String] = [:]
    for (index, service) in services.enumerated() {
      do {
        let server = try await MockServer.start(
          name: service.rawValue, host: host, port: port == 0 ? 0 : port + index, clock: ScaledClock(),
          responder: { responder.reply(to: $0, at: service) }, journal: { hooks.watch(service, $0) },
          options: .init(bounds: bounds))
        ports.append(server)
        urls[service] = "http://\(name):\(server.port)"
      } catch {
        for server in ports { await server.stop() }
        throw error
      }
    }
    return EmbeddedServer(ports: ports, responder: responder, urls: urls)
  }

  package func stop() async { for port in ports { await port.stop() } }

  /// Performs an operator command. Returns an error if the server is a no-op server, since such a server has no
  /// operator commands.
  package func perform(_ command: String, params: JSON.Object) -> CommandOutcome {
    responder.perform(command, params: params)
  }

  fileprivate final class Responder: Sendable {
    private let behaviour: Mutex<Behaviour>
    private let control: CommandChecks?
    private let hooks: Hooks

    init(_ behaviour: Behaviour, _ control: CommandChecks?, _ hooks: Hooks) {
      self.behaviour = Mutex(behaviour)
      self.control = control
      self.hooks = hooks
    }

    func perform(_ command: String, params: JSON.Object) -> CommandOutcome {
      behaviour.withLock { behaviour in
        guard case .model(var model) = behaviour else {
          return .error(CommandError(kind: CommandError.unsupported, message: "the server has no operator commands"))
        }
        // While `behaviour` has a second reference to the model, each change would copy all its data.
        behaviour = .hangUp
        let outcome = model.perform(command, params: params, now: Timestamp.now.milliseconds)
        behaviour = .model(model)
        return outcome
      }
    }

    func reply(to record: RequestRecord, at service: ServiceName) -> WireReply {
      if let reply = hooks.intercept(record) { return reply }
      if let control, record.request.path.hasPrefix(EmbeddedServer.controlPath) {
        return WireReply(response: answer(control: record, control), to: record, at: .now)
      }
      guard let response = response(to: record, at: service) else {
        return WireReply(response: HTTPResponse(status: 200), fault: .drop(serverActs: false))
      }
      return WireReply(response: response, fault: hooks.fault(), to: record, at: .now, barrier: hooks.hold(record))
    }

    /// The response to a request; nil if the connection must end without an answer.
    private func response(to record: RequestRecord, at service: ServiceName) -> HTTPResponse? {
      behaviour.withLock { behaviour in
        switch behaviour {
        case .model(var model):
          behaviour = .hangUp
          defer { behaviour = .model(model) }
          return model.respond(to: record.request, at: service, now: Timestamp.now.milliseconds)
        case .constant(let response): return response
        case .echo:
          return HTTPResponse(
            status: 200, headers: ["Content-Type": record.headers["Content-Type"] ?? "text/plain"],
            body: record.body.bytes)
        case .hangUp: return nil
        }
      }
    }
  }
}

extension EmbeddedServer.Responder {
  /// The answer to an operator who sends a command: the result of the command, or the reason why the server refuses it.
  /// The content type of the request must be `application/json`. A web page of another origin cannot send a request
  /// with this type: the browser first sends a CORS preflight, and this server never grants it.
  fileprivate func answer(control record: RequestRecord, _ checks: CommandChecks) -> HTTPResponse {
    if let refusal = Self.refusal(ofPagesIn: record) { return refusal }
    let command = String(record.request.path.dropFirst(EmbeddedServer.controlPath.count))
    guard record.method == "POST" else {
      var refusal = Self.refusal(405, "a command is asked for with POST")
      refusal.headers["Allow"] = "POST"
      return refusal
    }
    guard checks.commands.contains(command) else {
      return Self.refusal(404, "there is no command '\(command)', only \(checks.commands.joined(separator: ", "))")
    }
    guard Self.mediaType(of: record) == "application/json", let params = record.body.json?.object
    else { return Self.refusal(400, "the parameters are wanted as a JSON object of the type application/json") }
    if let problem = checks.problems(inParams: .object(params), of: command).first {
      return Self.refusal(400, "the parameters do not fit: \(problem)")
    }
    switch perform(command, params: params) {
    case .result(let value): return .json(200, value)
    case .error(let error): return Self.refusal(409, error.message ?? error.kind)
    case .noReply: return Self.refusal(500, "nothing came of it")
    }
  }

  /// The answer that refuses the request if it is from a web page; otherwise nil. A request from a web page has an
  /// Origin field, or a Host field that does not name this machine (DNS rebinding).
  private static func refusal(ofPagesIn record: RequestRecord) -> HTTPResponse? {
    let host = (record.headers["Host"] ?? "").lowercased()
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    guard ["127.0.0.1", "[::1]", "localhost"].contains(name) else {
      return refusal(403, "commands are taken at 127.0.0.1, [::1] and localhost, not at '\(host.visibleOnOneLine)'")
    }
    guard record.headers["Origin"] == nil else { return refusal(403, "commands are not taken from pages of a browser") }
    return nil
  }

  /// The media type of the body in lower case, without its parameters.
  private static func mediaType(of record: RequestRecord) -> String {
    let type = (record.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
    return String(type.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func refusal(_ status: Int, _ message: String) -> HTTPResponse {
    .json(status, ["error": .string(message)])
  }
}

/// A hook that performs an operator command of a server in this process.
struct EmbeddedHook: ServerHook {
  let server: EmbeddedServer
  let command: String

  func perform(_ params: JSON.Object) async -> CommandOutcome { server.perform(command, params: params) }
}

extension ServerUnderTest {
  /// A subject that is a server in this process. The values of `provision` are its provisioned values, and it performs
  /// all operator commands itself.
  package init(
    embedded server: EmbeddedServer, knowing provision: ServerProvision, commands: [ProtocolDefinition.Command]
  ) {
    self.init(addresses: server.urls.compactMapValues { Address(url: $0) })
    values = provision.values
    clientAddressHeader = provision.clientAddressHeader
    for command in commands { hooks[command.name] = EmbeddedHook(server: server, command: command.name) }
  }
}
