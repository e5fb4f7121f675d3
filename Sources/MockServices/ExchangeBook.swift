import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import ServerRules

/// Finds the golden exchange that a request at a service matches. If the request matches none exactly, the book
/// describes the difference to the nearest exchange.
///
/// A lenient book treats a request with one mistake as a request of the nearest exchange. Claims about the method or
/// path judge the mistake, and other claims judge the rest. A strict book accepts exact matches only.
package struct ExchangeBook: Sendable {
  private let table: ExchangeTable
  /// The services that have exchanges.
  private let services: Set<ServiceName>
  /// The path below which the protocol is served; empty if it is served at the root.
  let mount: String
  private let isLenient: Bool

  package init(_ table: ExchangeTable, exchanges: [Exchange], mount: String, isLenient: Bool) {
    self.table = table
    services = Set(exchanges.map(\.service))
    self.mount = mount
    self.isLenient = isLenient
  }

  /// Whether the service has exchanges. A service without exchanges expects no calls, and its mount point is the root.
  func hasExchanges(at service: ServiceName) -> Bool { services.contains(service) }

  /// The mount point of a service.
  func mount(of service: ServiceName) -> String { hasExchanges(at: service) ? mount : "" }

  /// The path of a request below the mount point; nil if the path is not below the mount point.
  func path(of request: HTTPRequest, at service: ServiceName) -> String? {
    let mount = mount(of: service)
    guard request.path.hasPrefix(mount) else { return nil }
    let rest = request.path.dropFirst(mount.count)
    return mount.isEmpty || rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
  }

  /// The request as a transcript shows it: with the name of its exchange, and with the difference if it does not match
  /// exactly.
  package func named(_ record: RequestRecord, at service: ServiceName) -> RequestRecord {
    read(record, at: service).record
  }

  /// Finds the exchange of a request. In a lenient book, a request that nearly matches an exchange belongs to that
  /// exchange.
  func read(_ record: RequestRecord, at service: ServiceName) -> ReadRequest {
    let request = record.request
    if let exact = exactExchange(for: request, at: service) {
      var known = record
      known.exchange = exact.name
      return ReadRequest(
        record: known, exchange: exact, asked: record, request: withoutMount(request, at: service))
    }
    let slip = slip(request, at: service)
    var known = record
    known.exchange = slip?.exchange.name
    known.nearMiss = nearMiss(request, at: service)
    let asked = slip.map { mended(record, as: $0, at: service) } ?? record
    return ReadRequest(
      record: known, exchange: slip?.exchange, asked: asked, request: withoutMount(asked.request, at: service))
  }

  private func exactExchange(for request: HTTPRequest, at service: ServiceName) -> Exchange? {
    guard let path = path(of: request, at: service) else { return nil }
    return table.exchange(method: request.method, path: path, query: request.queryItems, at: service)
  }

  /// The request without the mount point in its path.
  func withoutMount(_ request: HTTPRequest, at service: ServiceName) -> HTTPRequest {
    guard path(of: request, at: service) != nil else { return request }
    var request = request
    request.target = String(request.target.dropFirst(mount(of: service).count))
    return request
  }

  /// The exchange that a request nearly matches, and the difference; nil if the request is not near any exchange, and
  /// always nil in a strict book. The request must not match an exchange exactly.
  ///
  /// HEAD and OPTIONS are not mistakes, since servers may answer them for any path (RFC 9110 §9.3.2, §9.3.7).
  private func slip(_ request: HTTPRequest, at service: ServiceName) -> NearMiss? {
    guard isLenient, !["HEAD", "OPTIONS"].contains(request.method), let path = path(of: request, at: service)
    else { return nil }
    return table.nearMiss(method: request.method, path: path, query: request.queryItems, at: service)
  }

  private func mended(_ record: RequestRecord, as miss: NearMiss, at service: ServiceName) -> RequestRecord {
    var record = record
    let query = record.target.drop { $0 != "?" }
    record.line = "\(miss.method) \(mount(of: service))\(miss.path)\(query) HTTP/1.1"
    return record
  }

  private func nearMiss(_ request: HTTPRequest, at service: ServiceName) -> String {
    guard let path = path(of: request, at: service) else {
      return "the path does not begin with '\(mount)', the path of the base URL"
    }
    return table.nearMissText(method: request.method, path: path, query: request.queryItems, at: service)
  }
}
