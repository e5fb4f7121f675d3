import ArgumentParser
import ConformanceAuthoring
import ConformanceModel
import ConformanceSpec

/// The options that name the protocol and the place of its catalogue.
struct CatalogueOptions: ParsableArguments {
  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("The protocol; that of --pack, else \(Packs.usual), if not given.", valueName: "name"))
  var protocolName: String?

  @OptionGroup var sourceOptions: SourceOptions

  /// The protocol that the options name, or the default.
  func source() throws -> ProtocolSource { try sourceOptions.source(protocolName) }

  /// The catalogue, read and checked.
  func catalogue() async throws -> Catalogue { try await source().catalogue() }

  /// The catalogue with the place of everything in its files, read and checked.
  func checkedSources() async throws -> CatalogueSources { try await source().checkedSources() }

  /// The folder with the published schemas in it.
  var schemaFolder: CatalogueFolder { get throws { try sourceOptions.schemaFolder } }

  /// Reads files about a subject from outside the catalogue.
  func proofFile() async throws -> ProofFile {
    let source = try source()
    return try ProofFile(await source.sources(), schemas: source.schemaFolder)
  }
}
