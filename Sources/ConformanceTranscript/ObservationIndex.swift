import ConformanceModel
import JSONKit
import Templates

/// Reads a transcript entry by entry, and finds its observations by their kind.
///
/// It joins a request with its answer and with the end of its connection, and so determines whether an answer was
/// complete, and when.
package struct ObservationIndex: Sendable {
  private struct Line: Hashable {
    var port: String
    var connection: Int
  }

  private struct Open {
    var request: Int
    var response: Int?
    var isCut = false
    var isBodyBroken = false
    /// Whether the subject did not get a complete answer.
    var isBroken: Bool { isCut || isBodyBroken }
    /// Whether a fault sends the answer in pieces. Such an answer is complete only when its connection ends or is kept
    /// for the next request.
    var isSlow = false
  }

  /// Faults that prevent a complete answer.
  private static let cutting: Set<String> = ["drop", "hang", "reset", "raw"]
  private static let breakingBodies: Set<String> = ["truncate", "stall", "wrong-length", "bad-chunk"]
  private static let slow: Set<String> = ["drip"]

  /// Maps the label of each step to the entry at which the step began. ``ended`` maps it to the entry at which the step
  /// ended.
  package private(set) var began: [String: Int] = [:]
  package private(set) var ended: [String: Int] = [:]
  /// Maps the label of each step that ended to the entry from which the step has an effect. For most steps, it is the
  /// end of the step. A step that starts or ends a fault has an effect from the entry of the fault, since a request can
  /// meet the fault before the step ends.
  package private(set) var done: [String: Int] = [:]
  /// The place of the step that began last. ``cuts`` maps the place of a step to the entry at which the step started or
  /// ended a fault.
  private var place = ""
  private var cuts: [String: Int] = [:]
  /// Maps the entry of a request, and the entry of its answer, to the entry at which the answer was complete. Maps a
  /// request without a complete answer to the entry at which its connection ended.
  package private(set) var conclusions: [Int: Int] = [:]
  /// Maps the entry of each request to the entry that ended it: its answer was complete, its connection ended or was
  /// kept for the next request, or the next request arrived on its connection.
  package private(set) var ends: [Int: Int] = [:]

  private var requests: [(entry: Int, port: String, exchange: String?)] = []
  private var responses: [(entry: Int, port: String, exchange: String?)] = []
  private var callbacks: [String: [Int]] = [:]
  private var replies: [String: [Int]] = [:]
  private var closings: [(entry: Int, port: String)] = []
  /// Maps the entry of each request to the status of its answer, unless a fault broke the answer.
  private var answered: [Int: Int] = [:]
  /// Maps the entry of each answer to the request that it answers.
  private var requestOf: [Int: (entry: Int, view: JSON)] = [:]
  private var lines: [Line: Open] = [:]
  private var commands: [Int: String] = [:]
  private var sent: [String: (entry: Int, service: String, exchange: String?, view: JSON)] = [:]
  private var requestViews: [Int: JSON] = [:]

  package init() {}

  /// Adds the next entry.
  package mutating func read(_ entry: TranscriptEntry) {
    let number = entry.number
    switch entry.event {
    case .stepBegan(let mark):
      if let label = mark.label { began[label] = number }
      place = mark.place
    case .cut: cuts[place] = number
    case .stepEnded(let mark):
      let cut = cuts.removeValue(forKey: mark.place)
      if let label = mark.label { (ended[label], done[label]) = (number, cut ?? number) }
    case .callback(let handle, _): callbacks[handle, default: []].append(number)
    case .command(let command): if let label = command.label { commands[command.id] = label }
    case .reply(let reply): if let label = commands[reply.id] { replies[label, default: []].append(number) }
    case .request(let port, let record):
      let line = Line(port: port, connection: record.connection)
      conclude(line, at: number)
      lines[line] = Open(request: number)
      requests.append((number, port, record.exchange))
      requestViews[number] = record.view
    case .fault(let port, let connection, let kind):
      let line = Line(port: port, connection: connection)
      if Self.cutting.contains(kind) { lines[line]?.isCut = true }
      if Self.breakingBodies.contains(kind) { lines[line]?.isBodyBroken = true }
      if Self.slow.contains(kind) { lines[line]?.isSlow = true }
    case .response(let port, let record): readResponse(number, port, record)
    case .kept(let port, let connection):
      let line = Line(port: port, connection: connection)
      conclude(line, at: number)
      lines[line] = nil
    case .closed(let port, let connection, _):
      let line = Line(port: port, connection: connection)
      conclude(line, at: number)
      // A request without an answer is over when its connection ends.
      if let open = lines[line], conclusions[open.request] == nil { conclusions[open.request] = number }
      lines[line] = nil
      closings.append((number, port))
    case .sent(let label, let service, let record):
      if let label { sent[label] = (number, service, record.exchange, record.view) }
    case .received(let label?, _):
      guard let request = sent[label] else { break }
      responses.append((number, request.service, request.exchange))
      requestOf[number] = (request.entry, request.view)
      conclusions[number] = number
      replies[label, default: []].append(number)
    case .failed(let label?, _): replies[label, default: []].append(number)
    default: break
    }
  }

  private mutating func readResponse(_ number: Int, _ port: String, _ record: ResponseRecord) {
    let line = Line(port: port, connection: record.connection)
    guard var open = lines[line] else { return }
    let request = open.request
    open.response = number
    lines[line] = open
    responses.append((number, port, requests.last { $0.entry == request }?.exchange))
    requestOf[number] = (request, requestViews[request] ?? .null)
    // An answer with 204 or 304 has no body, so a fault of bodies leaves the answer complete (RFC 9110 §6.4.1).
    if open.isBodyBroken, [204, 304].contains(record.status) { lines[line]?.isBodyBroken = false }
    guard let isBroken = lines[line]?.isBroken, !isBroken else { return }
    answered[request] = record.status
    guard !open.isSlow else { return }
    conclusions[request] = number
    ends[request] = number
  }

  /// Ends the request that is open on a connection. Called when the connection ends or is kept for the next request,
  /// and when the next request arrives on it.
  private mutating func conclude(_ line: Line, at number: Int) {
    guard let open = lines[line] else { return }
    if ends[open.request] == nil { ends[open.request] = number }
    guard let response = open.response, !open.isBroken else { return }
    if open.isSlow { conclusions[open.request] = number }
    conclusions[response] = number
  }
}

extension ObservationIndex {
  /// The entries from the selector's `after` to its `before`; nil if the step of either label never ran, or if `before`
  /// is earlier than `after`.
  package func window(of selector: Selector) -> ClosedRange<Int>? {
    var first = 1
    var last = Int.max
    if let label = selector.after {
      guard let end = done[label] else { return nil }
      first = end
    }
    if let label = selector.before {
      guard let start = began[label] else { return nil }
      last = start
    }
    return first <= last ? first...last : nil
  }

  package func missingLabels(of selector: Selector) -> [String] {
    let bounds = [
      selector.after.flatMap { ended[$0] == nil ? $0 : nil }, selector.before.flatMap { began[$0] == nil ? $0 : nil },
    ]
    return bounds.compactMap(\.self)
  }

  /// The numbers of the entries that are after the given entry and have the selector's kind. The selector's window and
  /// filter are ignored.
  package func candidates(for selector: Selector, after entry: Int = 0) -> [Int] {
    func isAt(_ port: String) -> Bool { selector.service.map { $0.rawValue == port } ?? true }
    func fits(_ one: (entry: Int, port: String, exchange: String?), _ exchange: String) -> Bool {
      isAt(one.port) && (exchange == Selector.any || one.exchange == exchange)
    }
    switch selector.subject {
    case .request(let exchange): return requests.behind(entry, \.entry).filter { fits($0, exchange) }.map(\.entry)
    case .response(let exchange): return responses.behind(entry, \.entry).filter { fits($0, exchange) }.map(\.entry)
    case .callback(let handle): return Array((callbacks[handle] ?? []).behind(entry, \.self))
    case .reply(let label): return Array((replies[label] ?? []).behind(entry, \.self))
    case .step(let label): return (ended[label].map { [$0] } ?? []).filter { $0 > entry }
    case .closed: return closings.behind(entry, \.entry).filter { isAt($0.port) }.map(\.entry)
    }
  }

  /// The entry in the form that claims use; nil if selectors cannot select entries of its kind.
  package func view(of entry: TranscriptEntry) -> JSON? {
    switch entry.event {
    case .request: return view(ofRequest: entry.number)
    case .response(_, let record), .received(_, let record):
      var view = record.view.object ?? JSON.Object()
      if let request = requestOf[entry.number] { view["request"] = request.view }
      return .object(view)
    case .callback(_, let value): return value
    case .reply(let reply): return reply.outcome.view
    case .failed(_, let failure):
      return [Template.errorKey: ["kind": .string(failure.kind.rawValue), "message": .string(failure.text)]]
    case .stepEnded(let mark): return ["place": .string(mark.place), "word": .string(mark.word)]
    case .closed(_, _, let closer): return ["by": .string(closer.rawValue)]
    default: return nil
    }
  }

  /// An element of a list in an observation, in the form that claims use. If the element is an object, it gets an
  /// additional member `request`, which contains the observation.
  package static func element(_ element: JSON, of view: JSON) -> JSON {
    guard var object = element.object, object["request"] == nil else { return element }
    object["request"] = view
    return .object(object)
  }

  /// The request in the entry with this number, in the form that claims use.
  package func view(ofRequest number: Int) -> JSON? {
    guard var view = requestViews[number]?.object else { return nil }
    view["answered"] = answered[number].map(JSON.int)
    return .object(view)
  }

  /// The entry of the request that the answer in the entry `response` belongs to.
  package func request(of response: Int) -> Int? { requestOf[response]?.entry }

  /// Whether the answer in the entry with this number was complete.
  package func isWhole(_ response: Int) -> Bool {
    guard let request = requestOf[response] else { return false }
    return conclusions[response] == response || answered[request.entry] != nil
  }
}

extension Array {
  /// The elements whose entries are after the given entry. The elements are sorted by entry. The search begins at the
  /// end, since callers mostly need the last few.
  fileprivate func behind(_ entry: Int, _ number: KeyPath<Element, Int>) -> ArraySlice<Element> {
    guard entry > 0 else { return self[...] }
    return self[(lastIndex { $0[keyPath: number] <= entry }.map { $0 + 1 } ?? startIndex)...]
  }
}
