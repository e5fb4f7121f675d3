import Concurrency
import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceProvisioning
import ConformanceSpec
import ConformanceTLS
import ConformanceVerdict
import FoundationEssentials
import JSONKit
import Templates
import Testing

@testable import ConformanceRunner
@testable import MockServices
@testable import Processes
@testable import Proof

/// The protocol Beacon, read from its folder, and its subjects.
struct BeaconStation {
  /// The folder with `spec`, `Fixtures` and `subjects`.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().path
  /// The repository, with the published schemas.
  static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardized.path

  /// The checks that its cases use, and two more.
  static let checks = CommonChecks.all.filter { ["text-nowhere", "text-only-at", "output-lacks"].contains($0.key) }
  /// The published schemas.
  static let schemas = Result { try SchemaSet(CatalogueFolder(root: repository)) }
  /// The whole protocol, read once.
  private static let whole = Task { try await BeaconStation(texts: texts()) }

  /// The texts of its files, by path.
  static func texts() throws -> [String: String] {
    var texts: [String: String] = [:]
    for tree in ["spec/beacon", "Fixtures/beacon"] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(tree)") where path.contains(".") {
        texts["\(tree)/\(path)"] = try String(contentsOf: URL(filePath: "\(root)/\(tree)/\(path)"), encoding: .utf8)
      }
    }
    return texts
  }

  let sources: CatalogueSources
  let strayFiles: [String]

  init() async throws { self = try await Self.whole.value }

  /// The protocol with these texts.
  init(texts: [String: String]) async throws {
    let loader = CatalogueLoader(CatalogueFolder(texts: texts), schemas: try Self.schemas.get())
    sources = try await loader.sources(of: "beacon")
    strayFiles = loader.strayFiles(of: "beacon")
  }

  var catalogue: Catalogue { sources.catalogue }

  /// The pack of Beacon: its server is data, and its other subjects are programs in `subjects`.
  var pack: ProtocolPack {
    get throws { try #require(ProtocolPack(dataOf: catalogue)) }
  }

  /// The adapter. In the role `chain` a defect may belong to another side; the adapter switches on only its own.
  func adapter(_ defect: DefectID? = nil) -> ProgramCommand {
    let isOwn = defect.map { id in catalogue.defects.contains { $0.id == id && $0.side == "sdk" } } ?? false
    // Without site packages and the user's settings Python starts in half the time.
    return ProgramCommand(
      executable: "python3",
      arguments: ["-S", "-E", "\(Self.root)/subjects/beacon_adapter.py"]
        + (isOwn ? ["--defect", defect?.rawValue ?? ""] : []))
  }

  /// The subjects of a role, at most one of them with a defect: a switch of its own, or a mutation.
  func testbed(
    for role: Role, defect named: DefectID? = nil, clock: ClockMode? = nil, bender: Bender? = nil
  ) async throws -> Testbed {
    let bend = catalogue.defects.first { $0.id == named }?.bend
    let bender = bender ?? bend.map { Bender([$0], models: catalogue.models) }
    let defect = bend == nil ? named : nil
    let parts = catalogue.definition.parts(of: role)
    var called: Testbed.Called?
    if let part = parts.called {
      let lent = try provisioning(part == "server" ? "station.yaml" : "binding.yaml", defect: defect, of: part)
      called = try await .lent(
        part, by: lent, urls: lent.urls, folder: "\(Self.root)/subjects", catalogue: catalogue,
        dialects: catalogue.definition.dialects)
    }
    return try await Testbed.open(
      role, driven: parts.driven == nil ? nil : adapter(defect), called: called, catalogue: catalogue,
      pack: try pack,
      conditions: .init(kit: "test", clock: clock, timeLimit: .seconds(60), bender: bender, tls: RunTLS()))
  }

  /// The binding file of its backend.
  var binding: Provisioning { get throws { try provisioning("binding.yaml", defect: nil, of: "backend") } }

  private func provisioning(_ file: String, defect: DefectID?, of part: Role) throws -> Provisioning {
    let reader = try ProvisioningFile(
      CatalogueFolder(root: Self.repository), definition: catalogue.definition, exchanges: catalogue.exchanges)
    var lent = try reader.read("\(Self.root)/subjects/\(file)", variables: [:], for: .init(role: part))
    if let defect, catalogue.defects.contains(where: { $0.id == defect && $0.side == part }) {
      lent.start?.program += [Template(.literal("--defect")), Template(.literal(.string(defect.rawValue)))]
    }
    return lent
  }

  /// The verdicts of a role's cases in these dialects, by default in both. `cases` selects cases by name.
  func verdicts(
    of role: Role, in dialects: [Dialect]? = nil, defect: DefectID? = nil, bender: Bender? = nil, cases: [String] = []
  ) async throws -> [Verdict] {
    // A server of this folder has one dialect as long as it runs.
    let spoken = role == "server" ? ["one"] : dialects ?? catalogue.definition.dialects
    return try await verdicts(
      of: role, by: testbed(for: role, defect: defect, bender: bender), in: spoken, cases: cases)
  }

  /// The verdicts on the server as data, as a subject of its own.
  func verdictsOfServerAsData() async throws -> [Verdict] {
    let pack = try pack
    let dialects = catalogue.definition.dialects
    let called = try await Testbed.embedded(
      "server as data", role: "server", dialects: dialects, catalogue: catalogue, pack: pack, kit: "test",
      makeServer: { .model(pack.makeServer($0, 1, [])) })
    let testbed = try await Testbed.open(
      "server", driven: nil, called: called, catalogue: catalogue, pack: pack, conditions: .init(kit: "test"))
    return try await verdicts(of: "server", by: testbed, in: dialects)
  }

  private func verdicts(
    of role: Role, by testbed: Testbed, in spoken: [Dialect], cases: [String] = []
  ) async throws -> [Verdict] {
    let plan = try Plan(catalogue: catalogue, selection: Selection(roles: [role], dialects: spoken, cases: cases))
    let audience = Collector()
    // Another adapter takes longer to start than the cases that it would take over; called subjects mostly wait.
    let jobs = min(testbed.clock == .virtual ? 2 : 4, testbed.jobs(cores: 2))
    _ = try await testbed.runner(for: plan, by: Settlement(gate: .strict), jobs: jobs).run(for: audience)
    await testbed.close()
    return audience.verdicts
  }

  /// Collects the verdicts of a run.
  private final class Collector: Runner.Audience {
    private let results = LockedValue<[Verdict]>([])

    var verdicts: [Verdict] {
      var all: [Verdict] = []
      results.change { all = $0 }
      return all
    }

    func result(_ result: CaseResult) throws { results.change { $0 += result.settled.map(\.verdict) } }
  }
}
