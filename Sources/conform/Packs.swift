import ConformanceModel
import LinkForty

/// The protocols that this program knows: the one place that names them.
enum Packs {
  static let all = [LinkFortyPack.pack]
  /// The protocol that is meant where none is named.
  static let usual = all[0].name
}
