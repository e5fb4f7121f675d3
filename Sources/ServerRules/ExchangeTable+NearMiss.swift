import ConformanceModel
import JSONKit

/// The exchange that a request would match if one mistake in the request were corrected.
package struct NearMiss: Sendable {
  package var exchange: Exchange
  /// The method with which the request would match; ``path`` is the raw path.
  package var method: String
  package var path: String
  /// The difference between the request and the exchange.
  package var reason: String

  /// The nearest exchange and the difference, as reports print them.
  package var text: String { "nearest is \(exchange.name): \(reason)" }
}

extension ExchangeTable {
  /// A sentence about the exchange that is nearest to a request that matches no exchange. `path` is raw, without mount
  /// point and query.
  package func nearMissText(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> String {
    if let elsewhere = services(method: method, path: path, query: query).first {
      return "it is \(elsewhere.exchange.name), which belongs to the service '\(elsewhere.service)'"
    }
    return nearMiss(method: method, path: path, query: query, at: service)?.text
      ?? "no exchange has this method and path"
  }

  /// The exchange that is nearest to a request at a service: only the method differs, or only one place in the path
  /// differs. nil if there is none.
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

  /// The methods of exchanges that a client may have meant, the most probable first: the same method in another case,
  /// and then methods that, like the client's method, have a body or have no body.
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
  /// The largest number of wrong letters in a word of a path, and the shortest word that may have wrong letters.
  private static let (tolerance, shortest) = (2, 4)

  /// Whether a word is probably a misspelling of the other: few letters differ, or both are versions such as `v2`.
  private static func isMeant(_ word: String, as right: String) -> Bool {
    if isVersion(word), isVersion(right) { return true }
    return min(word.count, right.count) >= shortest && abs(word.count - right.count) <= tolerance
      && Nearest.distance(word, right) <= tolerance
  }

  private static func isVersion(_ word: String) -> Bool {
    word.hasPrefix("v") && word.count > 1 && word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The misspelt word in a path, the correct word of this route, and the corrected path; nil unless exactly one word
  /// is misspelt.
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
