import ConformanceBench
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import FoundationEssentials
import JSONKit

/// Beacon as it stands in its folder, and its subjects plugged in.
struct BeaconStation {
  /// The folder that holds `spec`, `Fixtures` and `subjects`.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().path
  /// The repository, with the published schemas.
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardized.path

  let sources: CatalogueSources
  let strayFiles: [String]

  init() async throws {
    let schemas = try SchemaSet(CatalogueFolder(root: Self.repository))
    let loader = CatalogueLoader(CatalogueFolder(root: Self.root), schemas: schemas)
    sources = try await loader.sources(of: "beacon")
    strayFiles = loader.strayFiles(of: "beacon")
  }

  var catalogue: Catalogue { sources.catalogue }

  /// The adapter; in the role `chain` a defect is one of the side that has it.
  private func adapter(_ defect: DefectID?) -> AdapterCommand {
    let isOwn = defect.map { id in catalogue.defects.contains { $0.id == id && $0.side == "sdk" } } ?? false
    return AdapterCommand(
      executable: "python3",
      arguments: ["\(Self.root)/subjects/beacon_adapter.py"] + (isOwn ? ["--defect", defect?.rawValue ?? ""] : []))
  }

  /// The subjects of a role, one of them wrong in one way or none.
  func testbed(for role: Role, defect: DefectID? = nil) async throws -> Testbed {
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
      pack: BeaconPack.pack, conditions: .init(kit: "test", timeLimit: .seconds(60)))
  }

  private func provisioning(_ file: String, defect: DefectID?, of part: Role) throws -> Provisioning {
    let reader = try ProvisioningFile(CatalogueFolder(root: Self.repository), definition: catalogue.definition)
    var lent = try reader.read("\(Self.root)/subjects/\(file)", variables: [:])
    if let defect, catalogue.defects.contains(where: { $0.id == defect && $0.side == part }) {
      lent.start?.program += [Template(.literal("--defect")), Template(.literal(.string(defect.rawValue)))]
    }
    return lent
  }

  /// The verdicts of a role's cases in the dialects that the subject speaks.
  func verdicts(of role: Role, defect: DefectID? = nil) async throws -> [Verdict] {
    let testbed = try await testbed(for: role, defect: defect)
    // A server of this folder speaks one dialect for its life; everything else meets both.
    let dialects: [Dialect] = role == "server" ? ["one"] : catalogue.definition.dialects
    let plan = try Plan(catalogue: catalogue, selection: Selection(roles: [role], dialects: dialects))
    let audience = Collector()
    _ = try await testbed.runner(for: plan, gate: .strict, jobs: testbed.jobs(cores: 2)).run(for: audience)
    await testbed.close()
    return audience.verdicts
  }

  /// Keeps the verdicts of a run.
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
