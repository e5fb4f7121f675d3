import HTTPValues
import JSONKit
import Synchronization

/// The latest requests of a live server. Its memory is bounded for any number of requests.
package final class LiveJournal: Sendable {
  /// The largest number of entries that the journal keeps.
  package static let limit = 500
  /// The largest number of bytes of a body that the journal keeps.
  package static let bodyLimit = 16 << 10

  private struct State {
    /// The newest entry is the last one.
    var entries: [LiveEntry] = []
    var last = 0
  }

  private let state = Mutex(State())

  /// The number of requests that have ended so far.
  package var count: Int { state.withLock(\.last) }

  /// Adds an entry. Returns the entry with its number and its shortened bodies.
  func add(_ entry: LiveEntry) -> LiveEntry {
    var entry = entry
    if let body = entry.request?.body { entry.request?.body = Self.bounded(body) }
    if let body = entry.response?.body { entry.response?.body = Self.bounded(body) }
    return state.withLock { state in
      state.last += 1
      entry.number = state.last
      state.entries.append(entry)
      if state.entries.count > Self.limit { state.entries.removeFirst(state.entries.count - Self.limit) }
      return entry
    }
  }

  func clear() { state.withLock { $0.entries = [] } }

  /// The newest entries that match a filter, in ascending order of their numbers.
  func entries(_ filter: LiveFilter) -> [LiveEntry] {
    let all = state.withLock(\.entries)
    return Array(all.filter(filter.fits).suffix(filter.limit))
  }

  private static func bounded(_ body: Octets) -> Octets {
    body.bytes.count > bodyLimit ? Octets(Array(body.bytes.prefix(bodyLimit))) : body
  }
}

/// A filter with which a program requests entries of the journal.
struct LiveFilter {
  /// Only entries with a number greater than this one match.
  var after = 0
  var exchange: String?
  /// A status or a class of statuses: `404`, `4xx`.
  var status: String?
  var onlyViolations = false
  var limit = LiveJournal.limit

  /// The error for an invalid filter.
  struct Problem: Error { var text: String }

  init() {}

  /// - Parameter exchanges: the names of the exchanges of the protocol.
  init(_ items: [(name: String, value: String)], exchanges: [String]) throws(Problem) {
    var seen: Set<String> = []
    for (name, value) in items {
      guard seen.insert(name).inserted else { throw Problem(text: "the filter '\(name)' is given twice") }
      switch name {
      case "after": after = try Self.number(value, of: name)
      case "limit": limit = min(try Self.number(value, of: name), LiveJournal.limit)
      case "exchange":
        guard exchanges.contains(value) else {
          let near = Nearest.words(to: value, in: exchanges).first.map { "; did you mean '\($0)'?" } ?? ""
          throw Problem(text: "the protocol has no exchange '\(value)'\(near)")
        }
        exchange = value
      case "status":
        guard Self.isStatus(value) else {
          throw Problem(text: "'status' expects a status such as 404, or a class such as 4xx, found '\(value)'")
        }
        status = value
      case "violations":
        guard ["true", "false"].contains(value) else {
          throw Problem(text: "'violations' expects true or false, found '\(value)'")
        }
        onlyViolations = value == "true"
      default:
        throw Problem(text: "unknown filter '\(name)'; expected after, exchange, limit, status or violations")
      }
    }
  }

  func fits(_ entry: LiveEntry) -> Bool {
    entry.number > after && exchange.map { $0 == entry.exchange } ?? true
      && status.map { Self.fits(entry.response?.status, $0) } ?? true && (!onlyViolations || entry.isViolation)
  }

  private static func fits(_ status: Int?, _ wanted: String) -> Bool {
    guard let status else { return false }
    return wanted.hasSuffix("xx") ? wanted.first == "\(status)".first : wanted == "\(status)"
  }

  private static func isStatus(_ text: String) -> Bool {
    guard text.count == 3, let first = text.first, "12345".contains(first) else { return false }
    return text.hasSuffix("xx") || Int(text) != nil
  }

  private static func number(_ text: String, of name: String) throws(Problem) -> Int {
    guard let number = Int(text), number >= 0 else {
      throw Problem(text: "'\(name)' expects a number from 0, found '\(text)'")
    }
    return number
  }
}
