import ArgumentParser
import ConformanceModel
import ConformanceSpec
import Files
import Lint
import Records

/// The options that name the protocol and the place of its catalogue.
package struct CatalogueOptions: ParsableArguments {
  package init() {}

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "The protocol. The default is the protocol of --pack, or \(Packs.usual) without --pack.", valueName: "name"),
    completion: NameCompletion.protocols)
  var protocolName: String?

  @OptionGroup package var sourceOptions: SourceOptions

  /// The protocol that the options name, or the default.
  package func source() throws -> ProtocolSource { try sourceOptions.source(protocolName) }

  /// The protocol that the options name. If they name none, it is the protocol of the record. If the record is a pipe,
  /// which can be read only once, the default protocol is used instead.
  package func source(ofRecord path: String?) throws -> ProtocolSource {
    guard protocolName == nil, let path, FileStatus(path)?.kind == .file else { return try source() }
    return try sourceOptions.source(RunRecordReader(path).header.protocolName)
  }

  /// The catalogue, read and checked.
  package func catalogue() async throws -> Catalogue { try await source().catalogue() }

  /// The catalogue, read and checked, with the file and line of each part.
  package func checkedSources() async throws -> CatalogueSources { try await source().checkedSources() }

  /// The folder that contains the published schemas.
  package var schemaFolder: CatalogueFolder { get throws { try sourceOptions.schemaFolder } }

  /// Reads files such as lists of defects that are about one subject and do not belong to the catalogue.
  package func proofFile() async throws -> ProofFile {
    let source = try source()
    return try ProofFile(await source.sources(), schemas: source.schemaFolder)
  }
}
