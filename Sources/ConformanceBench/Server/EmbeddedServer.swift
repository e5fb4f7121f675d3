import ConformanceModel
import ConformanceWire
import JSONKit
import Synchronization

/// A server model, or something that only looks like a server, on real ports: for `serve` and as a subject.
package final class EmbeddedServer: Sendable {
  /// What it does with requests.
  package enum Behaviour: Sendable {
    /// Answers by a protocol's rules.
    case model(any ServerModel)
    /// Answers everything with the same response.
    case constant(HTTPResponse)
    /// Answers with the request's own body.
    case echo
    /// Closes every connection without an answer.
    case hangUp
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

  /// The path below which an operator can ask for commands, when the server is started with `control`.
  package static let controlPath = "/_conform/"

  /// Starts it, with a port for each service; port 0 takes free ones, any other is the first service's and the others
  /// follow it. `bounds` limits what clients take together; nil sets no limit. Each answer waits for what `hold` gives for
  /// its request, if anything. With `control` a
  /// `POST /_conform/COMMAND` with parameters in JSON has a command done that no client may ask for. `watch` is told of
  /// everything that happens at the ports.
  ///
  /// - Throws: ``MockServer/ListenFailure``.
  package static func start(
    _ behaviour: Behaviour, services: [ServiceName], host: String = "127.0.0.1", port: Int = 0,
    control: CommandChecks? = nil, bounds: ServiceBounds? = nil,
    hold: @escaping @Sendable (RequestRecord) -> WireBarrier? = { _ in nil },
    watch: @escaping @Sendable (WireEvent) -> Void = { _ in }
  ) async throws -> EmbeddedServer {
    let responder = Responder(behaviour, control, hold)
    let name = host.contains(":") ? "[\(host)]" : host
    var ports: [MockServer] = []
    var urls: [ServiceName: String] = [:]
    for (index, service) in services.enumerated() {
      do {
        let server = try await MockServer.start(
          name: service.rawValue, host: host, port: port == 0 ? 0 : port + index, clock: RealClock(),
          responder: { responder.reply(to: $0, at: service) }, journal: watch, options: .init(bounds: bounds))
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

  /// Has the server do what an operator could; what only looks like a server does nothing.
  package func perform(_ command: String, params: JSON.Object) -> CommandOutcome {
    responder.perform(command, params: params)
  }

  fileprivate final class Responder: Sendable {
    private let behaviour: Mutex<Behaviour>
    private let control: CommandChecks?
    private let hold: @Sendable (RequestRecord) -> WireBarrier?

    init(
      _ behaviour: Behaviour, _ control: CommandChecks?, _ hold: @escaping @Sendable (RequestRecord) -> WireBarrier?
    ) {
      self.behaviour = Mutex(behaviour)
      self.control = control
      self.hold = hold
    }

    func perform(_ command: String, params: JSON.Object) -> CommandOutcome {
      behaviour.withLock { behaviour in
        guard case .model(var model) = behaviour else {
          return .error(CommandError(kind: CommandError.unsupported, message: "nobody operates this server"))
        }
        // Held twice, all that the server knows would be copied with each change.
        behaviour = .hangUp
        let outcome = model.perform(command, params: params, now: Timestamp.now.milliseconds)
        behaviour = .model(model)
        return outcome
      }
    }

    func reply(to record: RequestRecord, at service: ServiceName) -> WireReply {
      if let control, record.request.path.hasPrefix(EmbeddedServer.controlPath) {
        return WireReply(response: answer(control: record, control), to: record, at: .now)
      }
      guard let response = response(to: record, at: service) else {
        return WireReply(response: HTTPResponse(status: 200), fault: .drop(serverActs: false))
      }
      return WireReply(response: response, to: record, at: .now, barrier: hold(record))
    }

    /// Nil where the connection ends without one.
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
  /// What an operator gets: the result of the command, or why there is none. That JSON is asked for keeps pages of a
  /// browser out, which may send it to other hosts only with a leave that nobody gives.
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

  /// The refusal of a request that a page in a browser makes, of whatever origin, or makes of this server by a name of its
  /// own (DNS rebinding); nil for others.
  private static func refusal(ofPagesIn record: RequestRecord) -> HTTPResponse? {
    let host = (record.headers["Host"] ?? "").lowercased()
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    guard ["127.0.0.1", "[::1]", "localhost"].contains(name) else {
      return refusal(403, "commands are taken at 127.0.0.1, [::1] and localhost, not at '\(host.visibleOnOneLine)'")
    }
    guard record.headers["Origin"] == nil else { return refusal(403, "commands are not taken from pages of a browser") }
    return nil
  }

  /// The type of the body in small letters, without its parameters.
  private static func mediaType(of record: RequestRecord) -> String {
    let type = (record.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
    return String(type.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func refusal(_ status: Int, _ message: String) -> HTTPResponse {
    .json(status, ["error": .string(message)])
  }
}

/// A hook that reaches a server of this process.
struct EmbeddedHook: ServerHook {
  let server: EmbeddedServer
  let command: String

  func perform(_ params: JSON.Object) async -> CommandOutcome { server.perform(command, params: params) }
}

extension ServerUnderTest {
  /// A server of this process, of which everything is lent: what a fresh one knows, and every command.
  package init(
    embedded server: EmbeddedServer, knowing provision: ServerProvision, commands: [ProtocolDefinition.Command]
  ) {
    self.init(addresses: server.urls.compactMapValues { Address(url: $0) })
    values = provision.values
    clientAddressHeader = provision.clientAddressHeader
    for command in commands { hooks[command.name] = EmbeddedHook(server: server, command: command.name) }
  }
}
