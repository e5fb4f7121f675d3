import ArgumentParser
import ConformanceData
import ConformanceJudge
import ConformanceModel
import ConformanceSpec
import FoundationEssentials

/// Which protocol, and where its catalogue is.
struct CatalogueOptions: ParsableArguments {
  @Option(name: .customLong("protocol"), help: ArgumentHelp("The protocol.", valueName: "name"))
  var protocolName = Packs.usual

  @Option(
    help: ArgumentHelp("A folder with spec/ and Fixtures/ instead of those the program carries.", valueName: "folder"))
  var root: String?

  /// The folder that is read.
  var rootPath: String {
    get throws {
      if let root { return root }
      do throws(ConformanceData.Missing) { return try ConformanceData.root().path } catch {
        throw BadInput(error.description)
      }
    }
  }

  /// The checks of the protocol's code; none where it has none.
  var checks: [String: Check] { Packs.code(of: protocolName)?.checks ?? [:] }

  /// The checks that cases of the protocol may name.
  var allChecks: [String: Check] { CommonChecks.all.merging(checks) { _, own in own } }

  /// The published schemas: those that the program carries, whatever folder is read. A program that was moved without
  /// them takes those of the folder.
  func schemas() throws -> SchemaSet { try SchemaSet(schemaFolder) }

  /// The folder with the published schemas in it.
  var schemaFolder: CatalogueFolder {
    get throws {
      guard let carried = try? ConformanceData.root().path else { return CatalogueFolder(root: try rootPath) }
      return CatalogueFolder(root: carried)
    }
  }

  /// Throws where no folder of the protocol is below the root in use.
  func expectKnown() throws {
    let known = CatalogueLoader.availableProtocols(root: try rootPath)
    if let root, known.isEmpty {
      throw BadInput(
        "--root wants a folder that holds spec/\(protocolName)/protocol.yaml and Fixtures/, found none in '\(root)'")
    }
    guard known.contains(protocolName) else { throw BadInput.unknown("protocol", protocolName, known, list: "protocols") }
  }

  /// The protocols in reach, a line each: the name, and where it comes from.
  func protocols() throws -> [String] {
    CatalogueLoader.availableProtocols(root: try rootPath).map { name in
      let code = Packs.code(of: name) == nil ? "data alone" : "data, and references in code"
      return "\(name)\t\(root.map { "\($0)/spec/\(name)" } ?? "built in")\t\(code)"
    }
  }

  /// The catalogue, read and checked.
  func catalogue() async throws -> Catalogue {
    try expectKnown()
    let folder = CatalogueFolder(root: try rootPath)
    let clean = CleanCatalogues()
    let digest = try CatalogueLoader(folder).digest(of: protocolName, schemas: schemaFolder)
    if clean.contains(digest) {
      return try await CatalogueLoader(folder, schemas: .satisfied).sources(of: protocolName).catalogue
    }
    let catalogue = try await linted(CatalogueLoader(folder, schemas: schemas()).sources(of: protocolName)).catalogue
    clean.add(digest)
    return catalogue
  }

  /// The sources, once nothing in them is wrong: a mistake of the kit's own data would else be told as one of a subject.
  private func linted(_ sources: CatalogueSources) throws -> CatalogueSources {
    let errors = Linter(sources, checks: allChecks).diagnostics().filter { $0.severity == .error }
    guard errors.isEmpty else { throw CatalogueError(errors) }
    return sources
  }

  /// The catalogue with the place of everything in its files.
  func sources() async throws -> CatalogueSources {
    try expectKnown()
    return try await CatalogueLoader(CatalogueFolder(root: rootPath), schemas: schemas()).sources(of: protocolName)
  }

  /// The defects and variants of a file that stands outside the catalogue.
  func defects(_ file: String) async throws -> (defects: [Defect], variants: [Variant]) {
    try DefectsFile(await sources(), schemas: schemaFolder).read(file)
  }

  /// The words that make another command read the same.
  var words: [String] {
    var words = Words()
    words.add("--protocol", protocolName == Packs.usual ? nil : protocolName)
    words.add("--root", root)
    return words.list
  }
}
