import ConformanceModel
import ConformancePack
import LinkForty
import MobileEngage
import ReferenceKit
import Sentiance

/// The protocols for which this program contains code. No other file of the kit names them.
package enum Packs {
  /// The protocols whose references, including the server, are all defined in code.
  private static let whole = [LinkFortyPack.pack]
  /// The code of protocols whose reference server is defined in `server.yaml`. Their other references are programs.
  private static let programs = [MobileEngagePack.sdk, SentiancePack.programs]

  /// The default protocol.
  static let usual = whole[0].name

  /// Whether the program contains code for a protocol.
  package static func haveCode(of name: String) -> Bool {
    whole.contains { $0.name == name } || programs.contains { $0.protocolName == name }
  }

  /// The named checks in a protocol's own code.
  static func checks(of name: String) -> [String: Check] { whole.first { $0.name == name }?.checks ?? [:] }

  /// The references of a protocol. Either they are defined in code, or the reference server follows the rules in
  /// `server.yaml`. If there is neither code nor `server.yaml`, the reference server has no state, and sends the golden
  /// answers of the exchanges. The legal variants that apply to any server are added to a reference server.
  package static func pack(of catalogue: Catalogue) -> ProtocolPack {
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

  /// The legal variants of a protocol's references: the variants in the protocol's data, and those that apply to any
  /// server.
  package static func variants(of catalogue: Catalogue) -> [Variant] {
    (catalogue.variants + pack(of: catalogue).variants).sorted { $0.id < $1.id }
  }
}
