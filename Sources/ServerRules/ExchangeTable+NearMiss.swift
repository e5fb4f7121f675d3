import ConformanceModel
import HTTPValues
import JSONKit

/// The exchange that a request would match if one mistake in the request were corrected, with a description of the
/// mistake.
package struct NearMiss: Sendable {
  package var exchange: Exchange
  /// The method with which the request would match the exchange. ``path`` is the path with which it would match,
  /// including percent escapes.
  package var method: String
  package var path: String
  /// The difference between the request and the exchange, in words.
  package var reason: String

  /// The nearest exchange and the difference, as reports print them.
  package var text: String { "nearest is \(exchange.name): \(reason)" }
}

extension ExchangeTable {
  /// A sentence about the exchange that is nearest to a request without a matching exchange. `path` is the request's
  /// path with its percent escapes, without the query and without the path of the service's base URL.
  package func nearMissText(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> String {
    if let elsewhere = services(method: method, path: path, query: query).first {
      return "it is \(elsewhere.exchange.name), which belongs to the service '\(elsewhere.service)'"
    }
    return nearMiss(method: method, path: path, query: query, at: service)?.text
      ?? guess(method: method, path: path, query: query, at: service) ?? "no exchange has this method and path"
  }

  /// A sentence about the exchange that a client probably meant; nil if no exchange is near enough. It covers mistakes
  /// that even a lenient server does not accept: a word of the path is missing, misspelt, in the wrong place or
  /// needlessly escaped. In addition, the method can be wrong.
  private func guess(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> String? {
    let methods = [method] + otherMethods(than: method)
    let all = methods.enumerated().flatMap { rank, other in
      guesses(of: path, method: other, at: service).map { (method: other, rank: rank, guess: $0) }
    }
    for (other, _, guess) in all.sorted(by: { ($0.guess.mistake, $0.rank) < ($1.guess.mistake, $1.rank) }) {
      guard let meant = exchange(method: other, path: guess.path, query: query, at: service) else { continue }
      return "nearest is \(meant.name): \(guess.reason)"
        + (other == method ? "" : ", and its method is \(other), not \(method)")
    }
    return nil
  }

  /// A path that a client may have meant.
  private struct Guess {
    /// The kinds of mistakes, the most probable first.
    enum Mistake: Int, Comparable {
      case escapedLetters, misspeltWord, missingWord, otherOrder

      static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    var mistake: Mistake
    var reason: String
    var path: String
  }

  /// The paths that a client may have meant: they fit an exchange with this method and differ from the request's path
  /// in one place. Each guess describes the difference.
  private func guesses(of path: String, method: String, at service: ServiceName) -> [Guess] {
    var guesses: [Guess] = []
    func add(_ mistake: Guess.Mistake, _ reason: String, _ path: String) {
      guesses.append(Guess(mistake: mistake, reason: reason, path: path))
    }
    if let decoded = PercentEncoding.decode(path), decoded != path {
      add(.escapedLetters, "the path has '\(path)' in place of '\(decoded)': do not escape letters", decoded)
    }
    for (_, route) in exchanges(at: service) where route.method == method {
      if let (word, right, path) = route.misspelling(in: path, mayBeShort: true) {
        add(.misspeltWord, "the path has '\(word)' in place of '\(right)'", path)
      }
      if let (word, path) = route.omission(in: path) { add(.missingWord, "the path lacks '\(word)'", path) }
      if let path = route.exchangedWords(in: path) {
        add(.otherOrder, "the words of the path are in another order than in '\(path)'", path)
      }
    }
    return guesses
  }

  /// The exchange of a service from which a request differs only in the method, or only in one place of the path; nil
  /// if the service has no such exchange.
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

  /// The methods of exchanges that a client may have meant, the most probable first. A method that differs from the
  /// client's only in letter case comes first. If requests with the client's method have a body, methods with a body
  /// follow, and then methods without. Otherwise, methods without a body follow, and then those with one.
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
  /// A misspelt word of a path has at most `tolerance` wrong letters, and at least `shortest` letters in total.
  private static let (tolerance, shortest) = (2, 4)

  /// Whether a client probably meant `right` when it wrote `word`: only a few letters differ, or both are versions such
  /// as `v2`.
  private static func isMeant(_ word: String, as right: String, mayBeShort: Bool) -> Bool {
    if isVersion(word), isVersion(right) { return true }
    if mayBeShort, min(word.count, right.count) > 1, Nearest.distance(word, right) == 1 { return true }
    return min(word.count, right.count) >= shortest && abs(word.count - right.count) <= tolerance
      && Nearest.distance(word, right) <= tolerance
  }

  private static func isVersion(_ word: String) -> Bool {
    word.hasPrefix("v") && word.count > 1 && word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The misspelt word of a path, the word of this route in its place, and the corrected path. Nil unless exactly one
  /// word of the path is misspelt.
  ///
  /// - Parameter mayBeShort: whether a word with one wrong letter counts as misspelt even if it is short.
  fileprivate func misspelling(
    in path: String, mayBeShort: Bool = false
  ) -> (word: String, right: String, path: String)? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == segments.count else { return nil }
    let wrong = zip(segments, parts).enumerated().compactMap { index, pair -> (index: Int, right: String)? in
      if case .literal(let right) = pair.0, right != pair.1 { (index, right) } else { nil }
    }
    guard wrong.count == 1, let (index, right) = wrong.first, case let word = parts[index],
      Self.isMeant(word, as: right, mayBeShort: mayBeShort)
    else { return nil }
    parts[index] = right
    return (word, right, parts.joined(separator: "/"))
  }

  /// The segment of fixed text that a path lacks to match this route, and the path with this segment. Nil if no such
  /// segment exists.
  fileprivate func omission(in path: String) -> (word: String, path: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == segments.count - 1, parts.count > 2 else { return nil }
    for (index, segment) in segments.enumerated().dropFirst() {
      guard case .literal(let word) = segment else { continue }
      let longer = parts[..<index] + [word] + parts[index...]
      if literals(in: segments).allSatisfy({ longer[$0] == $1 }) { return (word, longer.joined(separator: "/")) }
    }
    return nil
  }

  /// The path of this route, if it has no holes and `path` consists of the same words in a different order; otherwise
  /// nil.
  fileprivate func exchangedWords(in path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let words = literals(in: segments).map(\.text)
    guard words.count == segments.count, words != parts, words.sorted() == parts.sorted() else { return nil }
    return words.joined(separator: "/")
  }

  private func literals(in segments: [Segment]) -> [(index: Int, text: String)] {
    segments.enumerated().compactMap { index, segment in
      if case .literal(let text) = segment { (index, text) } else { nil }
    }
  }
}
