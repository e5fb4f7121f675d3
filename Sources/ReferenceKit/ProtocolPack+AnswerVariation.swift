import ConformanceModel
import ConformancePack

extension ProtocolPack {
  /// Returns the pack with a server in this role that can also vary the form of its answers. Each
  /// ``AnswerVariation/Kind`` becomes a switch of the server and a variant of the role. If a defect or variant of the
  /// catalogue has the same id, the kind with this id is left out.
  package func varying(_ role: Role, in catalogue: Catalogue) -> ProtocolPack {
    let own = Set(catalogue.defects.map(\.id) + catalogue.variants.map(\.id))
    let kinds = AnswerVariation.Kind.allCases.filter { !own.contains($0.id) }
    let known = Set(kinds.map(\.id))
    var pack = self
    pack.switches[role, default: []].formUnion(known)
    pack.variants += kinds.map { Variant(id: $0.id, side: role, text: $0.text, because: $0.reason) }
    // Without variations the server is used directly, at no cost.
    pack.makeServer = { [makeServer] dialect, seed, switches in
      let variation = AnswerVariation(ids: switches.intersection(known))
      let server = makeServer(dialect, seed, switches.subtracting(known))
      return variation.kinds.isEmpty ? server : VariedServer(server, variation)
    }
    return pack
  }
}
