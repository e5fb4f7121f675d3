import ConformanceModel
import ConformancePack
import HTTPValues
import JSONKit
import ServerRules
import Templates

/// A server without state: it answers each request with a golden answer of its exchange, whatever the request contains
/// and whatever happened before.
struct CannedServer: ServerModel {
  private let table: ExchangeTable
  private let responses: [String: HTTPResponse]

  /// - Parameter values: values for the holes of answers, such as provisioned values. Holes for which neither these
  ///   values nor the exchange has a value get an invented text.
  init(_ catalogue: Catalogue, dialect: Dialect, values: Bindings) {
    table = ExchangeTable(catalogue.exchanges, dialect: dialect)
    responses = Dictionary(
      catalogue.exchanges.compactMap { exchange in
        Self.response(of: exchange, in: dialect, values, models: catalogue.models).map { (exchange.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    let exchange = table.exchange(method: request.method, path: request.path, query: request.queryItems, at: service)
    return exchange.flatMap { responses[$0.name] } ?? HTTPResponse(status: 404)
  }

  /// The first successful golden answer of an exchange. If no golden answer is successful, the first golden answer.
  private static func response(
    of exchange: Exchange, in dialect: Dialect, _ values: Bindings, models: Template.Models
  ) -> HTTPResponse? {
    let known = exchange.responses.keys.sorted().compactMap { exchange.response($0, in: dialect) }
    guard let golden = known.first(where: { 200..<300 ~= $0.status }) ?? known.first else { return nil }
    return try? (exchange.bindings(nil) ?? [:]).merging(values).makingUp { bindings in
      try golden.render(bindings, models: models, reversibly: false)
    }
  }
}

extension Bindings {
  /// The result of `make` with these values. Each unbound name gets a text that is visibly invented.
  func makingUp<Made>(_ make: (Bindings) throws -> Made) throws -> Made {
    var bindings = self
    while true {
      do {
        return try make(bindings)
      } catch Template.RenderError.unbound(let name) where bindings[name] == nil {
        bindings[name] = .string("made-up-\(name)")
      }
    }
  }
}
