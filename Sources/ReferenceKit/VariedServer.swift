import ConformanceModel
import JSONKit

/// A server whose answers are in another form and say the same.
struct VariedServer: ServerModel {
  private var server: any ServerModel
  private let variation: AnswerVariation

  init(_ server: any ServerModel, _ variation: AnswerVariation) {
    self.server = server
    self.variation = variation
  }

  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    variation.applied(to: server.respond(to: request, at: service, now: now))
  }

  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    server.perform(command, params: params, now: now)
  }

  mutating func lend(_ values: Bindings) { server.lend(values) }

  var complaint: String? { server.complaint }

  var forgives: Bool { server.forgives }
}

extension ProtocolPack {
  /// The same, with every variation of answers as a switch of its server, which plays this role. An id that the protocol
  /// has already is its own: what it calls a defect is no legal variant there.
  package func varying(_ role: Role, in catalogue: Catalogue) -> ProtocolPack {
    let own = Set(catalogue.defects.map(\.id) + catalogue.variants.map(\.id))
    let kinds = AnswerVariation.Kind.allCases.filter { !own.contains($0.id) }
    let known = Set(kinds.map(\.id))
    var pack = self
    pack.switches[role, default: []].formUnion(known)
    pack.variants += kinds.map { Variant(id: $0.id, side: role, text: $0.text, because: $0.reason) }
    // A server of which no variation is wanted is what it was, at no cost.
    pack.makeServer = { [makeServer] dialect, seed, switches in
      let variation = AnswerVariation(ids: switches.intersection(known))
      let server = makeServer(dialect, seed, switches.subtracting(known))
      return variation.kinds.isEmpty ? server : VariedServer(server, variation)
    }
    return pack
  }
}
