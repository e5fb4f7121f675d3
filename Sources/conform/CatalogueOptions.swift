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

  /// What a protocol brings in code.
  func pack() throws -> ProtocolPack {
    guard let pack = Packs.all.first(where: { $0.name == protocolName }) else {
      throw BadInput.unknown("protocol", protocolName, Packs.all.map(\.name), list: "protocols")
    }
    return pack
  }

  /// The catalogue, read and checked.
  func catalogue() async throws -> Catalogue {
    _ = try pack()
    if let root, !FileManager.default.fileExists(atPath: root + "/spec/\(protocolName)/protocol.yaml") {
      throw BadInput(
        "--root wants a folder that holds spec/\(protocolName)/protocol.yaml and Fixtures/, found none in '\(root)'")
    }
    let folder = CatalogueFolder(root: try rootPath)
    let loader = CatalogueLoader(folder)
    let clean = CleanCatalogues()
    let digest = loader.digest(of: protocolName)
    if clean.contains(digest) {
      return try await CatalogueLoader(folder, schemas: .satisfied).sources(of: protocolName).catalogue
    }
    let catalogue = try await linted(loader.sources(of: protocolName)).catalogue
    clean.add(digest)
    return catalogue
  }

  /// The sources, once nothing in them is wrong: a mistake of the kit's own data would else be told as one of a subject.
  private func linted(_ sources: CatalogueSources) throws -> CatalogueSources {
    let errors = Linter(sources, checks: try pack().allChecks).diagnostics().filter { $0.severity == .error }
    guard errors.isEmpty else { throw CatalogueError(errors) }
    return sources
  }

  /// The catalogue with the place of everything in its files.
  func sources() async throws -> CatalogueSources {
    _ = try pack()
    return try await CatalogueLoader(CatalogueFolder(root: rootPath)).sources(of: protocolName)
  }

  /// The defects and variants of a file that stands outside the catalogue.
  func defects(_ file: String) async throws -> (defects: [Defect], variants: [Variant]) {
    try DefectsFile(await sources(), schemas: CatalogueFolder(root: rootPath)).read(file)
  }

  /// The words that make another command read the same.
  var words: [String] {
    var words = Words()
    words.add("--protocol", protocolName == Packs.usual ? nil : protocolName)
    words.add("--root", root)
    return words.list
  }
}
