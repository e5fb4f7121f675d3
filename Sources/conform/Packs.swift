import ConformanceModel
import LinkForty
import MobileEngage
import ReferenceKit
import Sentiance

/// The protocols of which this program has code beside the data: the one place that names them.
enum Packs {
  /// Those with references of all their roles.
  private static let whole = [LinkFortyPack.pack]
  /// Those whose server is data, and whose other references are not.
  private static let programs = [MobileEngagePack.sdk, SentiancePack.programs]

  /// The protocol that is meant where none is named.
  static let usual = whole[0].name

  /// Whether a protocol is more than data.
  static func haveCode(of name: String) -> Bool {
    whole.contains { $0.name == name } || programs.contains { $0.protocolName == name }
  }

  /// The checks that cases of a protocol may name beside those of all.
  static func checks(of name: String) -> [String: Check] { whole.first { $0.name == name }?.checks ?? [:] }

  /// What answers for a protocol: its references in code, else its server as data, else its golden answers. A server that
  /// is a reference has the legal variants of any server.
  static func pack(of catalogue: Catalogue) -> ProtocolPack {
    let pack = plainPack(of: catalogue)
    guard pack.hasReferenceServer, let role = catalogue.definition.roles.first(where: \.ports.isServer)?.role else {
      return pack
    }
    return pack.varying(role, in: catalogue)
  }

  private static func plainPack(of catalogue: Catalogue) -> ProtocolPack {
    let name = catalogue.definition.name
    if let pack = whole.first(where: { $0.name == name }) { return pack }
    var pack = ProtocolPack(dataOf: catalogue) ?? ProtocolPack(goldenAnswersOf: catalogue)
    if let program = programs.first(where: { $0.protocolName == name }) {
      pack.adapterExecutable = program.adapterExecutable
      pack.binding = program.binding
      pack.switches.merge(program.switches) { data, code in data.union(code) }
    }
    return pack
  }

  /// The legal variants of a protocol's references: its own, and those that any server may have.
  static func variants(of catalogue: Catalogue) -> [Variant] {
    (catalogue.variants + pack(of: catalogue).variants).sorted { $0.id < $1.id }
  }
}
