import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformancePack
import ConformanceWire
import LiveServer
import Subjects
import TextKit

/// `conform serve`: runs the reference server, so that people can develop against the protocol without a real server.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Runs the reference server until you interrupt it, and reports the mistakes in each request.",
    discussion: """
      The command prints one line for each request. If the request violates a requirement, a line with ✗ below it \
      names the requirement. The page at /_conform/ shows the messages, and has switches for faults, the dialect and a \
      reset.

      Examples:
        conform serve --port 3000
        conform serve --port 3000 --dialect core-1.21 --defect install.needs-key
        conform serve --pack my-protocol --defect answer.chunked,answer.extra-members
                                                legal variants of any server
        conform serve --port 3000 --control     with the commands for operators
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(
    help: ArgumentHelp(
      "The port of the first service; 0 means any free port. Further services get the next ports.",
      valueName: "number"))
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

  @Flag(help: "Show the bodies of requests and answers.")
  var bodies = false

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
    var options = LiveServer.Options(dialect: try chosenDialect(of: catalogue))
    options.switches = try chosenSwitches(of: pack)
    (options.seed, options.host, options.port) = (seed, host, port)
    options.operators = control ? try CommandChecks(operatorsOf: catalogue.definition) : nil
    let paint = Paint(isOn: Terminal.outputHasColours)
    let log = ServeLog(paint, showsBodies: bodies)
    let isQuiet = quiet
    let server: LiveServer
    do {
      server = try await LiveServer.start(catalogue, pack, options) {
        if !isQuiet { Terminal.output(.view(log.lines(of: $0), isStyled: paint.isOn)) }
      }
    } catch let problem as MockServer.ListenFailure {
      throw BadInput("\(problem); name another with --port, or 0 for a free one, or another address with --host")
    }
    Terminal.output(.lines(ServeGreeting(server, catalogue, pack, options.dialect).text))
    _ = try await Interruption.watch(telling: "stopping") { try await Self.untilCancelled() }
    await server.stop()
  }

  private func chosenDialect(of catalogue: Catalogue) throws -> Dialect {
    let known = catalogue.definition.dialects
    let chosen = dialect.map { Dialect($0) } ?? known.first ?? "any"
    guard known.contains(chosen) else {
      throw BadInput.unknown("dialect", chosen.rawValue, known.map(\.rawValue), list: "dialects")
    }
    return chosen
  }

  private func chosenSwitches(of pack: ProtocolPack) throws -> Set<DefectID> {
    let wanted = Set(defects.values().map { DefectID($0) })
    let known = pack.switches.values.reduce(into: Set<DefectID>()) { $0.formUnion($1) }
    if let unknown = wanted.subtracting(known).sorted().first {
      throw BadInput.unknown(
        "defect of the reference server", unknown.rawValue, known.map(\.rawValue).sorted(), list: "defects")
    }
    return wanted
  }

  /// Waits until the task is cancelled. Nothing else ends the server.
  private static func untilCancelled() async throws {
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    await withTaskCancellationHandler {
      for await _ in never {}
    } onCancel: {
      end.finish()
    }
  }
}
