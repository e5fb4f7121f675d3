import ConformanceModel
import JSONKit

/// A request that fits no exchange and lacks one thing to be that.
package struct NearMiss: Sendable {
  package var exchange: Exchange
  /// The method and the raw path with which it would be that.
  package var method: String
  package var path: String
  /// The difference between the request and the exchange.
  package var reason: String

  /// The nearest exchange and the difference, as a report prints them.
  package var text: String { "nearest is \(exchange.name): \(reason)" }
}

extension ExchangeTable {
  /// The exchange that is nearest to a request that fits no exchange, in words. `path` is raw, without mount point and
  /// query.
  package func nearMissText(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> String {
    if let elsewhere = services(method: method, path: path, query: query).first {
      return "it is \(elsewhere.exchange.name), which belongs to the service '\(elsewhere.service)'"
    }
    return nearMiss(method: method, path: path, query: query, at: service)?.text
      ?? "no exchange has this method and path"
  }

  /// The exchange that is nearest to a request at a service: its method is different, or its path differs in one place.
  package func nearMiss(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> NearMiss? {
    func miss(_ method: String, _ path: String, _ reason: String) -> NearMiss? {
      exchange(method: method, path: path, query: query, at: service).map {
        NearMiss(exchange: $0, method: method, path: path, reason: reason)
      }
    }
    for other in otherMethods(than: method) {
      if let miss = miss(other, path, "its method is \(other), not \(method)") { return miss }
    }
    for (reason, other) in Self.repairs(of: path) {
      if let miss = miss(method, other, reason) { return miss }
    }
    for (_, route) in exchanges(at: service) where route.method == method {
      guard let (word, right, other) = route.misspelling(in: path) else { continue }
      if let miss = miss(method, other, "the path has '\(word)' in place of '\(right)'") { return miss }
    }
    return nil
  }

  /// The methods of exchanges that a request with another method may mean: first the same method in other letters, then
  /// methods that carry a body if the request has one.
  private func otherMethods(than method: String) -> [String] {
    func distance(_ other: String) -> Int {
      if other == method.uppercased() { return 0 }
      return Self.methodsWithBody.contains(other) == Self.methodsWithBody.contains(method.uppercased()) ? 1 : 2
    }
    return methods.filter { $0 != method }.sorted { (distance($0), $0) < (distance($1), $1) }
  }

  private static let methodsWithBody: Set = ["PATCH", "POST", "PUT"]

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

extension ExchangeRoute {
  /// So many letters may be wrong in a word of a path, and so many it has at least.
  private static let (tolerance, shortest) = (2, 4)

  /// Whether a word was meant as the other: a few letters differ, or both are versions such as `v2`.
  private static func isMeant(_ word: String, as right: String) -> Bool {
    if isVersion(word), isVersion(right) { return true }
    return min(word.count, right.count) >= shortest && abs(word.count - right.count) <= tolerance
      && Nearest.distance(word, right) <= tolerance
  }

  private static func isVersion(_ word: String) -> Bool {
    word.hasPrefix("v") && word.count > 1 && word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The misspelt word of a path, the correct word of this route, and the path with the correct word.
  fileprivate func misspelling(in path: String) -> (word: String, right: String, path: String)? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == segments.count else { return nil }
    let wrong = zip(segments, parts).enumerated().compactMap { index, pair -> (index: Int, right: String)? in
      if case .literal(let right) = pair.0, right != pair.1 { (index, right) } else { nil }
    }
    guard wrong.count == 1, let (index, right) = wrong.first, case let word = parts[index],
      Self.isMeant(word, as: right)
    else { return nil }
    parts[index] = right
    return (word, right, parts.joined(separator: "/"))
  }
}
