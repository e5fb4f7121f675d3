import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceWire
import HTTPValues
import Subjects
import TextKit

/// `conform serve`: the reference server for anyone who develops against the protocol.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Runs the reference server until interrupted, and shows each request.",
    discussion: """
      Examples:
        conform serve --port 3000
        conform serve --port 3000 --dialect core-1.21 --defect install.needs-key
        conform serve --pack my-protocol --defect answer.chunked,answer.extra-members       legal variants of any server
        conform serve --port 3000 --control             with the operator's commands that provisioning files use
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(
    help: ArgumentHelp(
      "The port; 0 is a free one. If there are several services, the others get the next ports.", valueName: "number"))
  var port = 0

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The dialect of the answers.", valueName: "name"))
  var dialect: String?

  @Option(
    name: .customLong("defect"),
    help: ArgumentHelp(
      "Switch on a defect, or a legal variant. For several, repeat the option or use commas.", valueName: "id"))
  var defects: [ListArgument<String>] = []

  @Option(help: ArgumentHelp("The seed of the ids that the server issues.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(help: "Accept commands of an operator at POST /_conform/COMMAND, on a loopback address only.")
  var control = false

  @Flag(help: "Do not show requests.")
  var quiet = false

  func validate() throws {
    if control, !["127.0.0.1", "::1", "localhost"].contains(host) {
      throw ValidationError(
        "--control lets everyone who reaches the server operate it, so it listens on the loopback only: leave out --host"
      )
    }
    if !(0...65535).contains(port) { throw ValidationError("--port expects a number from 0 to 65535, found \(port)") }
  }

  func run() async throws {
    try OpenFiles.makeRoom()
    let catalogue = try await catalogueOptions.catalogue()
    let pack = Packs.pack(of: catalogue)
    let known = catalogue.definition.dialects
    let dialect = self.dialect.map { Dialect($0) } ?? known.first ?? "any"
    guard known.contains(dialect) else {
      throw BadInput.unknown("dialect", dialect.rawValue, known.map(\.rawValue), list: "dialects")
    }
    let wanted = Set(defects.values().map { DefectID($0) })
    let switches = pack.switches.values.reduce(into: Set<DefectID>()) { $0.formUnion($1) }
    if let unknown = wanted.subtracting(switches).sorted().first {
      throw BadInput.unknown(
        "defect of the reference server", unknown.rawValue, switches.map(\.rawValue).sorted(), list: "defects")
    }
    let isQuiet = quiet
    let watch: @Sendable (WireEvent) -> Void = { if !isQuiet { Self.show($0) } }
    let server: EmbeddedServer
    do {
      server = try await EmbeddedServer.start(
        .model(pack.makeServer(dialect, seed, wanted)), services: services(of: catalogue), host: host, port: port,
        control: control ? CommandChecks(operatorsOf: catalogue.definition) : nil, bounds: ServiceBounds(), watch: watch
      )
    } catch let problem as MockServer.ListenFailure {
      throw BadInput("\(problem); name another with --port, or 0 for a free one, or another address with --host")
    }
    let urls = server.urls.sorted { $0.key < $1.key }
    let addresses = urls.map { urls.count == 1 ? $0.value : "\($0.key)=\($0.value)" }.joined(separator: " ")
    let kind = pack.hasReferenceServer ? "reference server" : "golden answers"
    Terminal.output("\(catalogue.definition.title) \(kind) (\(dialect)) at \(addresses) · Ctrl-C ends it\n")
    _ = try await Interruption.watch(telling: "stopping") { try await Self.untilCancelled() }
    await server.stop()
  }

  /// The services with exchanges, in the order of the protocol.
  private func services(of catalogue: Catalogue) -> [ServiceName] {
    catalogue.definition.services.map(\.name).filter { name in catalogue.exchanges.contains { $0.service == name } }
  }

  /// Waits for the one thing that ends a server: being cancelled.
  private static func untilCancelled() async throws {
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    await withTaskCancellationHandler {
      for await _ in never {}
    } onCancel: {
      end.finish()
    }
  }

  private static func show(_ event: WireEvent) {
    switch event {
    case .request(let record): tell("→", record.line, record.body)
    case .response(let record): tell("←", record.line, record.body)
    case .malformed(_, let reason, let octets): tell("✗", "not HTTP: \(reason)", octets)
    case .connected, .fault, .held, .released, .concluded, .kept, .closed, .handshake: break
    }
  }

  private static func tell(_ mark: String, _ line: String, _ body: Octets) {
    Terminal.output("\(mark) \(line)  \(body.text)\n")
  }
}
