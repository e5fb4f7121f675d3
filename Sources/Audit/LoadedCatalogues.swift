import CommandInterface
import ConformanceModel

/// The catalogues of protocols, each read once, for the verification of many bundles.
package actor LoadedCatalogues {
  private var catalogues: [String: Catalogue] = [:]

  package init() {}

  /// The catalogue of a source. Throws if it cannot be read or contains an error.
  func catalogue(of source: ProtocolSource) async throws -> Catalogue {
    if let known = catalogues[source.place] { return known }
    let catalogue = try await source.catalogue()
    catalogues[source.place] = catalogue
    return catalogue
  }
}
