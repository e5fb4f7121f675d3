import ConformanceModel
import JSONKit

/// Tells which golden exchange a request at a service belongs to, and for one that fits none what came nearest.
struct ExchangeBook: Sendable {
  private let table: ExchangeTable
  /// Where exchanges stand.
  private let services: Set<ServiceName>
  /// The path below which the protocol is served; empty at the root.
  let mount: String

  init(_ table: ExchangeTable, exchanges: [Exchange], mount: String) {
    self.table = table
    services = Set(exchanges.map(\.service))
    self.mount = mount
  }

  /// Whether any exchange stands at the service; one without is there so that nobody calls it, at the root.
  func hasExchanges(at service: ServiceName) -> Bool { services.contains(service) }

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

  /// The request as its client should have asked where it fits no exchange and lacks one thing to be one; else as it is.
  ///
  /// The methods that every server answers of itself (RFC 9110 §9.3.2, §9.3.7) are no mistakes.
  func mended(_ record: RequestRecord, at service: ServiceName) -> RequestRecord {
    let request = record.request
    guard !["HEAD", "OPTIONS"].contains(request.method), let path = path(of: request, at: service),
      exchange(for: request, at: service) == nil,
      let miss = table.nearMiss(method: request.method, path: path, query: request.queryItems, at: service)
    else { return record }
    var record = record
    let query = record.target.drop { $0 != "?" }
    record.line = "\(miss.method) \(mount(of: service))\(miss.path)\(query) HTTP/1.1"
    return record
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

  private func nearMiss(_ request: HTTPRequest, at service: ServiceName) -> String {
    guard let path = path(of: request, at: service) else {
      return "the path does not begin with '\(mount)', the path of the base URL"
    }
    return table.nearMissText(method: request.method, path: path, query: request.queryItems, at: service)
  }
}
