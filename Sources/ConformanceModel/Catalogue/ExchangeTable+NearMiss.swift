extension ExchangeTable {
  /// What a request that fits no exchange nearly was; `path` is raw, without mount point and query.
  package func nearMiss(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> String {
    func found(_ method: String, _ path: String) -> Exchange? {
      exchange(method: method, path: path, query: query, at: service)
    }
    if let elsewhere = services(method: method, path: path, query: query).first {
      return "it is \(elsewhere.exchange.name), which belongs to the service '\(elsewhere.service)'"
    }
    for other in methods where other != method {
      if let exchange = found(other, path) {
        return "nearest is \(exchange.name): its method is \(other), not \(method)"
      }
    }
    for (change, other) in Self.repairs(of: path) {
      if let exchange = found(method, other) { return "nearest is \(exchange.name): \(change)" }
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
