import ConformanceModel
import ConformancePack

extension ProtocolPack {
  /// The pack with every variation of answers as a switch of its server in this role. An id that the catalogue already
  /// uses keeps the catalogue's meaning.
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
