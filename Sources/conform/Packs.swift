import ConformanceModel
import LinkForty

/// The protocols of which this program has code beside the data: the one place that names them.
enum Packs {
  private static let all = [LinkFortyPack.pack]

  /// The protocol that is meant where none is named.
  static let usual = all[0].name

  /// What a protocol brings in code; nil for one that is data alone.
  static func code(of name: String) -> ProtocolPack? { all.first { $0.name == name } }

  /// What answers for a protocol: its references in code, else its server as data, else its golden answers.
  static func pack(of catalogue: Catalogue) -> ProtocolPack {
    code(of: catalogue.definition.name) ?? ProtocolPack(dataOf: catalogue) ?? ProtocolPack(goldenAnswersOf: catalogue)
  }
}
