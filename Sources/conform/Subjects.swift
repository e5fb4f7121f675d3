import ConformanceBench
import ConformanceModel
import ConformanceRunner
import FoundationEssentials

/// Plugs subjects in, as the command line names them.
struct Subjects {
  let catalogue: Catalogue
  let pack: ProtocolPack
  let conditions: Testbed.Conditions

  /// The subject of a role that the options name; the embedded reference when they name none.
  func plugIn(
    _ role: Role, _ options: SubjectOptions, _ order: ServerOrder?, dialects: [Dialect]
  ) async throws -> Testbed {
    switch role {
    case .sdk:
      if let text = options.sdk { return try await sdk(AdapterCommand(shellLike: text)) }
      return try await referenceSDK(options.switches(.sdk, of: pack))
    case .server:
      if let order { return try await server(order, dialects: dialects) }
      return try await referenceServer(options.switches(.server, of: pack))
    case .backend: throw BadInput("no protocol of this kit judges backends yet")
    }
  }

  func sdk(_ command: AdapterCommand) async throws -> Testbed {
    try await Testbed.sdk(command, catalogue: catalogue, pack: pack, conditions: conditions)
  }

  /// The reference SDK, with arguments of its own besides the switches.
  func referenceSDK(_ switches: Set<DefectID>, _ arguments: [String] = []) async throws -> Testbed {
    let executable = Self.folderOfProgram + "/" + pack.adapterExecutable
    let variants = Set(catalogue.variants.map(\.id))
    let options = switches.sorted().flatMap { [variants.contains($0) ? "--variant" : "--defect", $0.rawValue] }
    return try await sdk(AdapterCommand(executable: executable, arguments: arguments + options))
  }

  func referenceServer(_ switches: Set<DefectID>) async throws -> Testbed {
    let pack = self.pack
    let seed = conditions.seed
    return try await embedded("reference server") { .model(pack.makeServer($0, seed, switches)) }
  }

  func embedded(
    _ name: String, _ makeServer: @escaping @Sendable (Dialect) -> EmbeddedServer.Behaviour
  ) async throws -> Testbed {
    try await Testbed.embedded(
      name, dialects: catalogue.definition.dialects, catalogue: catalogue, pack: pack, conditions: conditions,
      makeServer: makeServer)
  }

  /// A server somewhere: it must answer HTTP before a single case is run.
  private func server(_ order: ServerOrder, dialects: [Dialect]) async throws -> Testbed {
    let (server, client) = try await order.plugIn()
    let all = Dictionary(dialects.map { ($0, server) }) { first, _ in first }
    return try Testbed.servers(
      all, client: client, subject: Subject(name: "server at \(server.endpoint.authority)", version: "unknown"),
      catalogue: catalogue, pack: pack, conditions: conditions)
  }

  /// Where this program lies: the reference adapters lie beside it.
  private static var folderOfProgram: String {
    let path =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
