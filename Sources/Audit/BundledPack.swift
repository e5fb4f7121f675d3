import CommandInterface
import ConformanceModel
import ConformanceSpec
import ConformanceVerdict
import FrozenSets
import Records

/// The protocol's files (requirements and cases) with which a bundle is verified, and where they come from.
struct BundledPack {
  /// The origin of the requirements.
  enum Origin: Hashable {
    /// The kit, or the options of the command.
    case kit
    /// The bundle, because this kit does not contain the protocol.
    case unknownProtocol
    /// The bundle, because this kit contains a later release of the protocol. The kit also has the frozen set of the
    /// certificate, and compares the requirements and cases of the bundle with it.
    case earlierRelease
  }

  var source: ProtocolSource
  var catalogue: Catalogue
  var origin: Origin
  /// Explains how this pack differs from the pack of the certified run. Nil if the run used this pack.
  var problem: String?

  /// The pack for a bundle. Throws ``BadInput`` or ``CatalogueError`` for files that are not a protocol.
  init(
    of bundle: OpenBundle, _ header: RunRecord.Header, _ options: SourceOptions, _ catalogues: LoadedCatalogues
  ) async throws {
    let name = header.protocolName
    guard let known = try options.knownSource(name) else {
      source = try options.ownSource(name, of: bundle) ?? options.source(name)
      catalogue = try await catalogues.catalogue(of: source, in: bundle)
      (origin, problem) = (.unknownProtocol, Self.difference(catalogue, header))
      return
    }
    (source, catalogue, origin) = (known, try await catalogues.catalogue(of: known), .kit)
    problem = Self.difference(catalogue, header)
    guard problem != nil, let own = try options.ownSource(name, of: bundle) else { return }
    let earlier = try await catalogues.catalogue(of: own, in: bundle)
    guard Self.difference(earlier, header) == nil else { return }
    problem = try Self.strangeness(of: own, earlier, beside: known)
    if problem == nil { (source, catalogue, origin) = (own, earlier, .earlierRelease) }
  }

  private static func difference(_ catalogue: Catalogue, _ header: RunRecord.Header) -> String? {
    guard catalogue.digest != header.packDigest else { return nil }
    return "the run used another pack of '\(header.protocolName)': digest \(header.packDigest), here"
      + " \(catalogue.digest); verify with that kit, or name its pack with --pack"
  }

  /// Explains how the protocol's files in a bundle differ from each known frozen set of the protocol. Nil if they agree
  /// with one of these sets.
  private static func strangeness(
    of own: ProtocolSource, _ earlier: Catalogue, beside known: ProtocolSource
  ) throws -> String? {
    guard let set = try FrozenSets(of: own.name, in: own.folder).newest else {
      return "the run used another release of '\(own.name)', which has no frozen set: verify with that kit"
    }
    let sets = try FrozenSets(of: known.name, in: known.folder).all.map(\.value)
    guard sets.contains(set) else {
      return "the run used another release of '\(own.name)', whose frozen set '\(set.revision)' this kit does not have:"
        + " verify with that kit"
    }
    guard let change = set.changes(in: earlier).first else { return nil }
    return "the bundle's files of '\(own.name)' are not those of the frozen set '\(set.revision)': '\(change.name)'"
      + " differs"
  }
}

extension SourceOptions {
  /// The protocol of a bundle's run, from the kit, from the options, or from the bundle.
  package func source(of header: RunRecord.Header, in bundle: OpenBundle) async throws -> ProtocolSource {
    try await BundledPack(of: bundle, header, self, LoadedCatalogues()).source
  }
}
