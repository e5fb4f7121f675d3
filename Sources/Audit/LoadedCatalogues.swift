import CommandInterface
import ConformanceModel

/// Reads the catalogue of each protocol only once, even if many bundles are verified.
package actor LoadedCatalogues {
  private var catalogues: [String: Task<Catalogue, any Error>] = [:]

  package init() {}

  /// The catalogue of a source. Throws if it cannot be read or contains an error.
  func catalogue(of source: ProtocolSource) async throws -> Catalogue {
    try await catalogue(of: source, named: source.place)
  }

  /// The catalogue of a source in a bundle. Bundles with the same files share one catalogue.
  func catalogue(of source: ProtocolSource, in bundle: OpenBundle) async throws -> Catalogue {
    try await catalogue(of: source, named: bundle.packDigest ?? source.place)
  }

  private func catalogue(of source: ProtocolSource, named name: String) async throws -> Catalogue {
    // The task is noted before it ends, so that parallel verifications wait for the same task.
    let task = catalogues[name] ?? Task { try await source.catalogue() }
    catalogues[name] = task
    return try await task.value
  }
}
