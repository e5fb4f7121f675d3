import ConformanceAuthoring
import ConformanceJudge
import ConformanceModel
import ConformanceSpec

/// A protocol in reach: its name, and where its files are.
struct ProtocolSource {
  /// Whence a protocol is known.
  enum Origin: Hashable {
    /// The data that the program carries.
    case program
    /// The folder that `--root` names.
    case root(String)
    /// A folder that is one protocol, named by `--pack` or by `CONFORM_PACKS`.
    case pack(String)
  }

  let name: String
  let origin: Origin
  let folder: CatalogueFolder
  /// The folder with the published schemas in it.
  let schemaFolder: CatalogueFolder

  /// Where it is, as people are told.
  var place: String {
    switch origin {
    case .program: "built in"
    case .root(let root): "\(root)/spec/\(name)"
    case .pack(let folder): folder
    }
  }

  /// The words that make another command read the same.
  var words: [String] {
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

  /// The checks of the protocol's code; none where it has none.
  var checks: [String: Check] { Packs.checks(of: name) }

  /// The checks that cases of the protocol may name.
  var allChecks: [String: Check] { CommonChecks.all.merging(checks) { _, own in own } }

  /// The catalogue, read and checked.
  func catalogue() async throws -> Catalogue {
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

  /// The catalogue with the place of everything in its files.
  func sources() async throws -> CatalogueSources {
    try folder.refuseExcess(of: name)
    return try await CatalogueLoader(folder, schemas: SchemaSet(schemaFolder)).sources(of: name)
  }

  /// The same, once nothing in them is wrong.
  func checkedSources() async throws -> CatalogueSources { try await linted(sources()) }

  /// Everything that is wrong with it.
  func diagnostics() async throws -> [Diagnostic] {
    try folder.refuseExcess(of: name)
    return try await Linter.lint(folder, protocol: name, checks: allChecks, schemas: SchemaSet(schemaFolder))
  }

  /// The sources, once nothing in them is wrong: a mistake of the kit's own data would else be told as one of a subject.
  private func linted(_ sources: CatalogueSources) throws -> CatalogueSources {
    let errors = Linter(sources, checks: allChecks).diagnostics().filter { $0.severity == .error }
    guard errors.isEmpty else { throw CatalogueError(errors) }
    return sources
  }
}
