import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Synchronization
import Templates

/// The mutator: mutates the messages of a conforming subject before anything is recorded or answered.
package final class Bender: Sendable {
  /// The mutations, in the order in which they are applied.
  private let bends: [Defect.Bend]
  private let models: Template.Models
  private let effects = Mutex(Effects())

  private struct Effects {
    var count = 0
    var bends: Set<Defect.Bend> = []
  }

  /// At most one of the mutations may delay or reorder events. `models` are the golden models of the protocol, to which
  /// the filters of mutations may refer.
  package init(_ bends: [Defect.Bend], models: Template.Models = [:]) {
    self.bends = bends
    self.models = models
  }

  /// The number of events that were changed so far.
  package var changes: Int { effects.withLock(\.count) }

  /// Those of the mutations that have changed at least one event so far.
  package var effective: Set<Defect.Bend> { effects.withLock(\.bends) }

  /// A change to the time at which an event is recorded.
  enum Lateness {
    case delayed(LogicalTime)
    /// The matching event with this number is recorded after the next matching event.
    case exchanged(Int)
  }

  /// The change to the time of an event; nil if the event is recorded at once. The caller reports the change with
  /// ``noteChange()``.
  func lateness(of view: JSON, as subject: Defect.Bend.Subject, named name: String?) -> Lateness? {
    bends.lazy.filter { self.fits($0, view, as: subject, of: name) }.compactMap(\.lateness).first
  }

  /// Records that an event was moved in time.
  func noteChange() { noteChange(by: bends.filter(\.isAboutTime)) }

  private func noteChange(by bends: some Sequence<Defect.Bend>) {
    effects.withLock { effects in
      effects.count += 1
      effects.bends.formUnion(bends)
    }
  }

  /// Whether at least one mutation applies to events of this kind and name.
  package func isAbout(_ subject: Defect.Bend.Subject, named name: String) -> Bool {
    bends.contains { $0.subject == subject && ($0.name == nil || $0.name == name) }
  }

  /// The requests that replace a request to a mock: none, one or several.
  func requests(for record: RequestRecord, of exchange: String?) -> [RequestRecord] {
    let events = bent(.request(upstream: "", record), as: .request, of: exchange)
    return events.enumerated().compactMap { index, event in
      guard case .request(_, var record) = event else { return nil }
      if index > 0 { record.connection += index * Self.otherConnections }
      return record
    }
  }

  /// The bytes of a request after mutations that rewrite its text; nil if no mutation rewrites the text. The
  /// Content-Length is adapted to the new body.
  func octets(of record: RequestRecord, _ exchange: String?) -> [UInt8]? {
    let fitting = bends.filter { $0.rewriting != nil && fits($0, record.view, as: .request, of: exchange) }
    guard !fitting.isEmpty else { return nil }
    let rewritten = fitting.reduce(record.text) { $1.rewritten($0) }
    guard rewritten != record.text, let body = rewritten.firstRange(of: "\r\n\r\n")?.upperBound else { return nil }
    noteChange(by: fitting)
    var whole = record
    if whole.headers["Content-Length"] != nil {
      whole.headers["Content-Length"] = "\(rewritten[body...].utf8.count)"
    }
    return Array(fitting.reduce(whole.text) { $1.rewritten($0) }.utf8)
  }

  /// The mutated answer; nil if a mutation drops the answer.
  func answer(_ record: ResponseRecord, to request: RequestRecord) -> ResponseRecord? {
    let bends = bends.filter { $0.asked?.fits(request.view, models: models) ?? true }
    let event = TranscriptEntry.Event.received(label: nil, record)
    let events = self.bent(event, as: .answer, of: request.exchange, by: bends)
    guard case .received(_, var bent)? = events.first else { return nil }
    // Only mutations that apply to this answer may set its status.
    let fitting = bends.filter { fits($0, event.bentView, as: .answer, of: request.exchange) }
    if bent != record, let status = fitting.compactMap(\.status).last {
      bent.line = "HTTP/1.1 \(status) \(HTTPResponse(status: status).reason)"
    }
    return bent
  }

  /// The mutated outcome of a command. A lost reply becomes `noReply`.
  package func outcome(_ outcome: CommandOutcome, of command: String?) -> CommandOutcome {
    guard case .reply(let reply)? = bent(.reply(.init(id: 0, outcome: outcome)), as: .reply, of: command).first
    else { return .noReply }
    return reply.outcome
  }

  /// The values of the calls that replace a call of a callback: none, one or several.
  package func callbacks(_ value: JSON, of command: String?) -> [JSON] {
    bent(.callback(handle: "", value: value), as: .callback, of: command).compactMap { event in
      if case .callback(_, let value) = event { value } else { nil }
    }
  }

  /// The offset for the connection numbers of requests that a mutation has added or delayed. With this offset, the
  /// numbers differ from the numbers of the subject's connections.
  static let otherConnections = 1_000_000

  private func bent(
    _ event: TranscriptEntry.Event, as subject: Defect.Bend.Subject, of name: String?, by bends: [Defect.Bend]? = nil
  ) -> [TranscriptEntry.Event] {
    var effective: [Defect.Bend] = []
    let result = (bends ?? self.bends).reduce([event]) { events, bend in
      let bent = events.flatMap { fits(bend, $0.bentView, as: subject, of: name) ? bend.changed($0) : [$0] }
      // Nothing shows a change to a message that a later mutation drops.
      if bent.isEmpty, !events.isEmpty { effective = [] }
      if bent != events { effective.append(bend) }
      return bent
    }
    if result != [event] { noteChange(by: effective) }
    return result
  }

  private func fits(
    _ bend: Defect.Bend, _ view: @autoclosure () -> JSON, as subject: Defect.Bend.Subject, of name: String?
  ) -> Bool {
    bend.subject == subject && (bend.name == nil || bend.name == name)
      && bend.filter?.fits(view(), models: models) ?? true
  }
}

extension Defect.Bend {
  fileprivate var lateness: Bender.Lateness? {
    switch change {
    case .delay(let span): .delayed(span)
    case .reorder(let number): .exchanged(number)
    default: nil
    }
  }

  /// The pattern that the mutation searches for in the bytes of a request, and the text that replaces the first match.
  /// nil if the mutation does not rewrite bytes.
  fileprivate var rewriting: (find: String, replacement: String)? {
    if case .rewrite(let find, let replacement) = change { (find, replacement) } else { nil }
  }

  fileprivate func rewritten(_ text: String) -> String {
    guard let rewriting, let pattern = try? Regex(rewriting.find).matchingSemantics(.unicodeScalar),
      let match = text.firstMatch(of: pattern)
    else { return text }
    let group = match.output.dropFirst().first?.substring ?? ""
    return text[..<match.range.lowerBound] + rewriting.replacement.replacing("$1", with: group)
      + text[match.range.upperBound...]
  }

  /// The status that the mutation gives an answer; nil if it does not change the status.
  fileprivate var status: Int? {
    guard case .set(let replacements) = change else { return nil }
    return replacements.first { $0.path.steps == [.key("status")] }?.value.int
  }

  fileprivate func changed(_ event: TranscriptEntry.Event) -> [TranscriptEntry.Event] {
    switch change {
    case .delay, .reorder, .rewrite: return [event]
    case .lose: return []
    case .repeat: return [event, event]
    default:
      guard let parts = event.parts else { return [event] }
      let bent = changed(parts)
      return [bent == parts ? event : event.rebuilt(from: bent)]
    }
  }

  private func changed(_ parts: JSON) -> JSON {
    switch change {
    case .lose, .repeat, .delay, .reorder, .rewrite: return parts
    case .remove(let path):
      let path = parts.spelled(path)
      return parts[path] == nil ? parts : parts.setting(nil, at: path)
    case .retype(let path):
      let path = parts.spelled(path)
      return parts[path].map { parts.setting($0.ofAnotherType, at: path) } ?? parts
    case .rename(let renamings):
      return renamings.reduce(parts) { $0.renaming($0.spelled($1.path), to: $1.name) }
    case .set(let replacements):
      return replacements.reduce(parts) { $0.setting($1.value, at: $0.spelled($1.path)) }
    }
  }
}

extension TranscriptEntry.Event {
  /// The value that the filter of a mutation is compared with.
  fileprivate var bentView: JSON {
    switch self {
    case .request(_, let record): record.view
    case .received(_, let record): record.view
    case .reply(let reply): reply.outcome.view
    case .callback(_, let value): value
    default: .null
    }
  }
}

extension RequestRecord {
  /// The request as it is on the wire, except that its body is without a transfer coding.
  fileprivate var text: String {
    String(decoding: HTTPMessageWriter.head(line, headers) + body.bytes, as: UTF8.self)
  }
}

extension JSON {
  /// Returns the path. If it leads to a header field, it contains the name of the field as this message spells it.
  fileprivate func spelled(_ path: JSONPath) -> JSONPath {
    guard path.steps.count == 2, path.steps[0] == .key("headers"), case .key(let name) = path.steps[1],
      let own = self["headers"]?.object?.keys.first(where: { $0.equalsIgnoringCase(name) })
    else { return path }
    return JSONPath([.key("headers"), .key(own)])
  }
}
