import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceSpec
import Lint
import SpecDocuments

/// An available protocol: its name, and the place of its files.
package struct ProtocolSource: Sendable {
  /// Where the files of a protocol come from.
  package enum Origin: Hashable, Sendable {
    /// The data that the program contains.
    case program
    /// The folder that `--root` names.
    case root(String)
    /// A folder with one protocol, named by `--pack` or by `CONFORM_PACKS`.
    case pack(String)
  }

  package let name: String
  package let origin: Origin
  package let folder: CatalogueFolder
  /// The folder with the published schemas. It also contains the packs that protocols outside of the kit can include.
  package let schemaFolder: CatalogueFolder

  package init(name: String, origin: Origin, folder: CatalogueFolder, schemaFolder: CatalogueFolder) {
    self.name = name
    self.origin = origin
    self.folder = folder.including(from: schemaFolder)
    self.schemaFolder = schemaFolder
  }

  /// The place of the protocol, in words for people.
  package var place: String {
    switch origin {
    case .program: "built in"
    case .root(let root): "\(root)/spec/\(name)"
    case .pack(let folder): folder
    }
  }

  /// The options for another command, so that it reads the same protocol.
  package var words: [String] {
    var words = Words()
    switch origin {
    case .program: words.add("--protocol", name == Packs.usual ? nil : name)
    case .root(let root):
      words.add("--protocol", name == Packs.usual ? nil : name)
      words.add("--root", root)
    case .pack(let folder): words.add("--pack", folder)
    }
    return words.list
  }

  /// The named checks of the protocol's code; empty for a protocol without code.
  package var checks: [String: Check] { Packs.checks(of: name) }

  /// The named checks that the protocol's cases may use: those of its code, and those for all protocols.
  package var allChecks: [String: Check] { CommonChecks.all.merging(checks) { _, own in own } }

  /// The catalogue, read and checked.
  package func catalogue() async throws -> Catalogue {
    try folder.refuseExcess(of: name)
    let clean = CleanCatalogues()
    let digest = CatalogueLoader(folder).digest(of: name, schemas: schemaFolder)
    if clean.contains(digest) {
      return try await CatalogueLoader(folder, schemas: .satisfied).sources(of: name).catalogue
    }
    let catalogue = try await linted(sources()).catalogue
    clean.add(digest)
    return catalogue
  }

  /// The catalogue with the file and line of each part.
  package func sources() async throws -> CatalogueSources {
    try folder.refuseExcess(of: name)
    return try await CatalogueLoader(folder, schemas: SchemaSet(schemaFolder)).sources(of: name)
  }

  /// Like ``sources()``, but throws if the files contain an error.
  func checkedSources() async throws -> CatalogueSources { try await linted(sources()) }

  /// All errors and warnings about the protocol.
  package func diagnostics() async throws -> [Diagnostic] {
    try folder.refuseExcess(of: name)
    return try await Linter.lint(folder, protocol: name, checks: allChecks, schemas: SchemaSet(schemaFolder))
  }

  /// Returns the sources if they contain no error, and throws if they do. Without this check, a run could report an
  /// error in the data as an error of a subject.
  private func linted(_ sources: CatalogueSources) throws -> CatalogueSources {
    let errors = Linter(sources, checks: allChecks).diagnostics().filter { $0.severity == .error }
    guard errors.isEmpty else { throw CatalogueError(errors) }
    return sources
  }
}
