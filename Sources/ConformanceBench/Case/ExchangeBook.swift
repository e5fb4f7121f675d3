import ConformanceModel

/// Tells which golden exchange a request belongs to, and for one that fits none what came nearest.
struct ExchangeBook: Sendable {
  let exchanges: [Exchange]
  /// The path below which the protocol is served; empty at the root.
  let mount: String

  /// The request's path below the mount point; nil when it lies outside.
  func path(of request: HTTPRequest) -> String? {
    guard request.path.hasPrefix(mount) else { return nil }
    let rest = request.path.dropFirst(mount.count)
    return mount.isEmpty || rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
  }

  func exchange(for request: HTTPRequest) -> Exchange? {
    guard let path = path(of: request) else { return nil }
    return exchanges.first { $0.classifies(method: request.method, path: path) }
  }

  /// The record with its exchange, or with what came nearest to it.
  func classify(_ record: RequestRecord) -> RequestRecord {
    var record = record
    let request = record.request
    if let exchange = exchange(for: request) {
      record.exchange = exchange.name
    } else {
      record.nearMiss = nearMiss(request)
    }
    return record
  }

  private func nearMiss(_ request: HTTPRequest) -> String {
    guard let path = path(of: request) else {
      return "the path does not begin with '\(mount)', the path of the base URL"
    }
    let methods = exchanges.map(\.request.method)
    for exchange in exchanges where methods.contains(exchange.request.method) {
      if exchange.classifies(method: exchange.request.method, path: path) {
        return "nearest is \(exchange.name): its method is \(exchange.request.method), not \(request.method)"
      }
    }
    for (change, other) in Self.repairs(of: path) {
      if let exchange = exchanges.first(where: { $0.classifies(method: request.method, path: other) }) {
        return "nearest is \(exchange.name): \(change)"
      }
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
