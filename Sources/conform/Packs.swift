import ConformanceBench
import ConformanceModel
import LinkForty

/// The protocols of which this program has code beside the data: the one place that names them.
enum Packs {
  private static let all = [LinkFortyPack.pack]

  /// The protocol that is meant where none is named.
  static let usual = all[0].name

  /// What a protocol brings in code; nil for one that is data alone.
  static func code(of name: String) -> ProtocolPack? { all.first { $0.name == name } }

  /// What answers for a protocol: its references in code, and in their place what its data say.
  static func pack(of catalogue: Catalogue) -> ProtocolPack {
    code(of: catalogue.definition.name)
      ?? ProtocolPack(
        name: catalogue.definition.name,
        makeServer: { dialect, _, _ in GoldenServer(catalogue, dialect: dialect) }, hasReferenceServer: false)
  }
}
