import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import MockServices
import ServerRules
import Subjects
import Synchronization
import Templates

/// The reference server for developers of apps. It keeps a journal of requests, lists the requirements that each
/// request violates, and can simulate faults. Below ``LiveInterface/path`` it has a page and an interface for programs.
package final class LiveServer: Sendable {
  /// The options of the server.
  package struct Options: Sendable {
    package var dialect: Dialect
    /// Defects and legal variants of the server.
    package var switches: Set<DefectID> = []
    package var seed: UInt64 = 1
    package var host = "127.0.0.1"
    /// The port of the first service. Further services get the port numbers after it. 0 chooses free ports.
    package var port = 0
    /// If set, a `POST` request below the interface's path performs an operator's command.
    package var operators: CommandChecks?

    package init(dialect: Dialect) { self.dialect = dialect }
  }

  package let journal: LiveJournal
  /// The secret that callers of the interface must send.
  package let token: String
  private let server: EmbeddedServer

  /// The base URLs by service.
  package var urls: [ServiceName: String] { server.urls }

  private init(_ desk: LiveDesk, _ server: EmbeddedServer, token: String) {
    (journal, self.server, self.token) = (desk.journal, server, token)
  }

  /// Starts the server.
  ///
  /// - Parameter report: receives each request when its answer has ended.
  /// - Throws: ``MockServer/ListenFailure``.
  package static func start(
    _ catalogue: Catalogue, _ pack: ProtocolPack, _ options: Options, report: @escaping @Sendable (LiveEntry) -> Void
  ) async throws -> LiveServer {
    let desk = LiveDesk(catalogue, pack, options, report)
    let token = String.randomDigits(32)
    let interface = LiveInterface(desk: desk, token: token, host: options.host)
    let services = catalogue.definition.services.map(\.name).filter { name in
      catalogue.exchanges.contains { $0.service == name }
    }
    let server = try await EmbeddedServer.start(
      .model(LiveModel(desk: desk)), services: services, host: options.host, port: options.port,
      control: options.operators, bounds: ServiceBounds(),
      hooks: .init(
        intercept: { interface.reply(to: $0) }, fault: { desk.fault?.kind },
        watch: { desk.note($1, at: $0) }))
    return LiveServer(desk, server, token: token)
  }

  package func stop() async { await server.stop() }
}

extension String {
  /// A random text with this number of hexadecimal digits.
  static func randomDigits(_ count: Int) -> String {
    var random = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
  }
}

/// A server model that delegates to a ``LiveDesk``. The desk can replace its own model while the server runs.
private struct LiveModel: ServerModel {
  let desk: LiveDesk

  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    desk.withModel { $0.respond(to: request, at: service, now: now) }
  }

  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    desk.withModel { $0.perform(command, params: params, now: now) }
  }

  mutating func lend(_ values: Bindings) { desk.withModel { $0.lend(values) } }
}
