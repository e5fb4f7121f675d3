import ConformanceModel
import Templates

/// Finds the golden exchange of a request by the service, the method, the path, and the query parameters whose values
/// the exchange fixes. If several exchanges match, the table finds the most specific one.
package struct ExchangeTable: Sendable {
  private struct Entry: Sendable {
    var exchange: Exchange
    var route: ExchangeRoute
  }

  private let entries: [ServiceName: [Entry]]

  /// A table of the exchanges' requests in a dialect. The table does not contain bound exchanges, whose requests are
  /// only in a binding file.
  package init(_ exchanges: [Exchange], dialect: Dialect) {
    let known = exchanges.compactMap { exchange in
      exchange.request(in: dialect).map { Entry(exchange: exchange, route: ExchangeRoute($0)) }
    }
    entries = Dictionary(grouping: known, by: \.exchange.service).mapValues { entries in
      // Equal routes keep their order, so that the sort is stable.
      entries.enumerated().sorted { left, right in
        right.element.route.isLessSpecific(than: left.element.route)
          || !left.element.route.isLessSpecific(than: right.element.route) && left.offset < right.offset
      }.map(\.element)
    }
  }

  /// The exchange to which a request to a service belongs; nil if it belongs to no exchange. `path` is the request's
  /// path with its percent escapes, without the query and without the path of the service's base URL.
  package func exchange(
    method: String, path: String, query: [(name: String, value: String)], at service: ServiceName
  ) -> Exchange? {
    guard let entries = entries[service] else { return nil }
    let parts = ExchangeRoute.parts(of: path)
    // Entries are read in place: an exchange is large, and copying each one costs more than the comparison.
    for index in entries.indices where entries[index].route.includes(method: method, parts: parts, query: query) {
      return entries[index].exchange
    }
    return nil
  }

  /// All services at which this request would match an exchange, each with the exchange.
  package func services(
    method: String, path: String, query: [(name: String, value: String)]
  ) -> [(service: ServiceName, exchange: Exchange)] {
    entries.keys.sorted().compactMap { service in
      exchange(method: method, path: path, query: query, at: service).map { (service, $0) }
    }
  }

  /// The methods that any exchange in the table has, sorted.
  var methods: [String] { Set(entries.values.joined().map(\.route.method)).sorted() }

  /// The exchanges at a service, the most specific first.
  package func exchanges(at service: ServiceName) -> [(exchange: Exchange, route: ExchangeRoute)] {
    (entries[service] ?? []).map { ($0.exchange, $0.route) }
  }
}

/// The parts of an exchange's request by which the table recognises it.
package struct ExchangeRoute: Hashable, Sendable {
  /// A part of a path between two slashes.
  package enum Segment: Hashable, Sendable {
    case literal(String)
    /// Fixed text with holes in it.
    case mixed(Template)
    case hole

    fileprivate var rank: Int {
      switch self {
      case .literal: 0
      case .mixed: 1
      case .hole: 2
      }
    }
  }

  package let method: String
  package let segments: [Segment]
  /// The query parameters for which the exchange has a fixed value, each with its value.
  package let query: [String: String]

  package init(_ request: Exchange.Request) {
    method = request.method
    segments = Self.segments(of: request.path)
    query = request.query.compactMapValues { template in
      if case .literal(let value) = template.node { value.string ?? value.compactText } else { nil }
    }
  }

  /// Whether a request belongs to this route. A hole matches a whole segment or a part of it, but never an empty text.
  package func includes(method: String, path: String, query: [(name: String, value: String)]) -> Bool {
    includes(method: method, parts: Self.parts(of: path), query: query)
  }

  /// The segments between the slashes of a path.
  fileprivate static func parts(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
  }

  fileprivate func includes(method: String, parts: [Substring], query: [(name: String, value: String)]) -> Bool {
    guard method == self.method, parts.count == segments.count else { return false }
    let fits = zip(segments, parts).allSatisfy { segment, part in
      switch segment {
      case .literal(let text): text == part
      case .hole: !part.isEmpty
      case .mixed(let template):
        template.captures(from: .string(String(part)))?.values.values.allSatisfy { $0.string?.isEmpty != true } ?? false
      }
    }
    return fits && self.query.allSatisfy { name, value in query.contains { $0.name == name && $0.value == value } }
  }

  /// Whether the other route is tried before this one.
  ///
  /// If the paths have the same number of segments, the segments are compared from left to right. At the first position
  /// at which one segment is more literal than the other, the route with the more literal segment is tried first. If no
  /// position differs in this way, the route that fixes more query parameters is tried first. If the numbers of
  /// segments differ, the longer path is tried first. This only makes the order complete, since a request never matches
  /// two paths of different length.
  package func isLessSpecific(than other: ExchangeRoute) -> Bool {
    guard segments.count == other.segments.count else { return segments.count < other.segments.count }
    for (mine, theirs) in zip(segments, other.segments) where mine.rank != theirs.rank {
      return mine.rank > theirs.rank
    }
    return query.count < other.query.count
  }

  /// Whether the templates show that this route matches every request that the other route matches.
  package func swallows(_ other: ExchangeRoute) -> Bool {
    method == other.method && segments.count == other.segments.count
      && zip(segments, other.segments).allSatisfy { mine, theirs in
        if case .hole = mine { return true }
        if case .mixed(let mine) = mine, case .mixed(let theirs) = theirs { return mine.literals == theirs.literals }
        return mine == theirs
      }
      && query.allSatisfy { other.query[$0] == $1 }
  }

  private static func segments(of path: Template) -> [Segment] {
    let pieces: [Template.Segment]
    switch path.node {
    case .literal(let value): pieces = [.literal(value.string ?? value.compactText)]
    case .hole(let hole): pieces = [.hole(hole)]
    case .text(let segments): pieces = segments
    default: pieces = []
    }
    var parts: [[Template.Segment]] = [[]]
    for piece in pieces {
      guard case .literal(let text) = piece else {
        parts[parts.count - 1].append(piece)
        continue
      }
      for (index, part) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { parts.append([]) }
        if !part.isEmpty { parts[parts.count - 1].append(.literal(String(part))) }
      }
    }
    return parts.map(segment)
  }

  private static func segment(_ pieces: [Template.Segment]) -> Segment {
    switch pieces.count {
    case 0: return .literal("")
    case 1:
      if case .literal(let text) = pieces[0] { return .literal(text) }
      return .hole
    default: return .mixed(Template(.text(pieces)))
    }
  }
}

extension Template {
  /// The pieces of a text, with nil in place of each hole.
  fileprivate var literals: [String?] {
    guard case .text(let segments) = node else { return [] }
    return segments.map { if case .literal(let text) = $0 { text } else { nil } }
  }
}
