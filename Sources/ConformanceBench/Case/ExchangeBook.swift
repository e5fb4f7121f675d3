import ConformanceModel
import JSONKit

/// Tells which golden exchange a request at a service belongs to, and for one that fits none what came nearest.
struct ExchangeBook: Sendable {
  private let table: ExchangeTable
  private let exchanges: [Exchange]
  private let dialect: Dialect
  /// The path below which the protocol is served; empty at the root.
  let mount: String

  init(exchanges: [Exchange], dialect: Dialect, mount: String) {
    table = ExchangeTable(exchanges, dialect: dialect)
    self.exchanges = exchanges
    self.dialect = dialect
    self.mount = mount
  }

  /// Whether any exchange stands at the service; one without is there so that nobody calls it, at the root.
  func hasExchanges(at service: ServiceName) -> Bool { exchanges.contains { $0.service == service } }

  /// The mount point of a service.
  func mount(of service: ServiceName) -> String { hasExchanges(at: service) ? mount : "" }

  /// The request's path below the mount point; nil when it lies outside.
  func path(of request: HTTPRequest, at service: ServiceName) -> String? {
    let mount = mount(of: service)
    guard request.path.hasPrefix(mount) else { return nil }
    let rest = request.path.dropFirst(mount.count)
    return mount.isEmpty || rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
  }

  func exchange(for request: HTTPRequest, at service: ServiceName) -> Exchange? {
    guard let path = path(of: request, at: service) else { return nil }
    return table.exchange(method: request.method, path: path, query: request.queryItems, at: service)
  }

  /// The request as it would stand at the root.
  func withoutMount(_ request: HTTPRequest, at service: ServiceName) -> HTTPRequest {
    guard path(of: request, at: service) != nil else { return request }
    var request = request
    request.target = String(request.target.dropFirst(mount(of: service).count))
    return request
  }

  /// The record with its exchange, or with what came nearest to it.
  func classify(_ record: RequestRecord, at service: ServiceName) -> RequestRecord {
    var record = record
    let request = record.request
    if let exchange = exchange(for: request, at: service) {
      record.exchange = exchange.name
    } else {
      record.nearMiss = nearMiss(request, at: service)
    }
    return record
  }

  /// What came nearest to a request that fits no exchange.
  func nearMiss(_ request: HTTPRequest, at service: ServiceName) -> String {
    guard let path = path(of: request, at: service) else {
      return "the path does not begin with '\(mount)', the path of the base URL"
    }
    let query = request.queryItems
    func found(_ method: String, _ path: String) -> Exchange? {
      table.exchange(method: method, path: path, query: query, at: service)
    }
    if let elsewhere = table.services(method: request.method, path: path, query: query).first {
      return "it is \(elsewhere.exchange.name), which belongs to the service '\(elsewhere.service)'"
    }
    let methods = Set(exchanges.compactMap { $0.request(in: dialect)?.method }).sorted()
    for method in methods where method != request.method {
      if let exchange = found(method, path) {
        return "nearest is \(exchange.name): its method is \(method), not \(request.method)"
      }
    }
    for (change, other) in Self.repairs(of: path) {
      if let exchange = found(request.method, other) { return "nearest is \(exchange.name): \(change)" }
    }
    return "no exchange has this method and path"
  }

  private static func repairs(of path: String) -> [(String, String)] {
    var single = path
    while single.contains("//") { single = single.replacing("//", with: "/") }
    return [
      ("the path has an empty segment ('//')", single),
      ("the path ends in '/'", path.hasSuffix("/") ? String(path.dropLast()) : path),
      ("paths are case sensitive", path.lowercased()),
    ].filter { $0.1 != path }
  }
}
