import ConformanceModel
import JSONKit

/// A server that is the golden exchanges of a protocol: it gives to each request the usual answer of its exchange, and
/// keeps no state.
package struct GoldenServer: ServerModel {
  private let book: ExchangeBook
  private let models: Template.Models
  private let dialect: Dialect

  /// The name of the answer that is meant where none is named.
  private static let usual = "default"

  package init(_ catalogue: Catalogue, dialect: Dialect) {
    book = ExchangeBook(exchanges: catalogue.exchanges, dialect: dialect, mount: "")
    models = catalogue.models
    self.dialect = dialect
  }

  package mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    guard let exchange = book.exchange(for: request, at: service) else {
      return .json(404, ["error": .string(book.nearMiss(request, at: service))])
    }
    guard let response = answer(of: exchange) else {
      return .json(501, ["error": .string("the exchange '\(exchange.name)' has no response in the dialect \(dialect)")])
    }
    do {
      return try response.render(bindings(of: request, exchange), models: models)
    } catch {
      return .json(500, ["error": .string("a response of the exchange '\(exchange.name)' cannot be made: \(error)")])
    }
  }

  /// The answer `default`, else that of the lowest status, and among equals the first by name.
  private func answer(of exchange: Exchange) -> Exchange.Response? {
    let known = exchange.responses.keys.sorted().compactMap { exchange.response($0, in: dialect) }
    return exchange.response(Self.usual, in: dialect) ?? known.min { $0.status < $1.status }
  }

  /// What the request says in the places of the exchange's holes, on top of what they usually hold.
  private func bindings(of request: HTTPRequest, _ exchange: Exchange) -> Bindings {
    let usual = exchange.bindings(nil) ?? [:]
    guard let template = exchange.request(in: dialect) else { return usual }
    var said = template.path.match(.string(request.path)).bindings
    for item in request.queryItems {
      if let parameter = template.query[item.name] { said = parameter.match(.string(item.value), bindings: said).bindings }
    }
    if let body = template.body, let value = try? JSON(parsing: request.body) {
      said = body.match(value, bindings: said, models: models).bindings
    }
    return usual.merging(said)
  }
}
