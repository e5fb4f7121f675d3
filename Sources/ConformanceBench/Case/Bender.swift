import ConformanceModel
import JSONKit
import Synchronization

/// Makes an honest subject wrong in one way: changes what it sent or said before anybody takes notice of it.
package final class Bender: Sendable {
  private let bend: Defect.Bend
  private let models: Template.Models
  private let count = Mutex(0)

  /// A bender knows the golden models of a protocol, of which filters may speak.
  package init(_ bend: Defect.Bend, models: Template.Models = [:]) {
    self.bend = bend
    self.models = models
  }

  /// How often it has changed something.
  package var changes: Int { count.withLock(\.self) }

  /// How something is brought out of its place.
  enum Lateness {
    case delayed(LogicalTime)
    /// The one with this number, of those that fit, comes after the next.
    case exchanged(Int)
  }

  /// How what a subject did is brought out of its place; nil when it is not. Whoever does so notes the change.
  func lateness(of view: JSON, as subject: Defect.Bend.Subject, named name: String?) -> Lateness? {
    guard fits(view, as: subject, of: name) else { return nil }
    return switch bend.change {
    case .delay(let span): .delayed(span)
    case .reorder(let number): .exchanged(number)
    default: nil
    }
  }

  func noteChange() { count.withLock { $0 += 1 } }

  /// Whether the bend is about all that bears this name.
  func isAbout(_ name: String) -> Bool { bend.name == nil || bend.name == name }

  /// What becomes of a request to a mock: nothing, itself, or itself twice. It is looked at more than once and counts when
  /// it is written down.
  func requests(for record: RequestRecord, of exchange: String?, counting: Bool = false) -> [RequestRecord] {
    let events = bent(.request(upstream: "", record), as: .request, of: exchange, record.view, counting: counting)
    return events.enumerated().compactMap { index, event in
      guard case .request(_, var record) = event else { return nil }
      if index > 0 { record.connection += Self.otherConnections }
      return record
    }
  }

  /// What becomes of an answer; nil when it never came.
  func answer(_ record: ResponseRecord, to exchange: String) -> ResponseRecord? {
    guard
      case .received(_, var bent)? = self.bent(
        .received(label: nil, record), as: .answer, of: exchange, record.view
      ).first
    else { return nil }
    if bent != record, let status { bent.line = "HTTP/1.1 \(status) \(HTTPResponse(status: status).reason)" }
    return bent
  }

  /// What becomes of an outcome; a reply that is lost is none.
  func outcome(_ outcome: CommandOutcome, of command: String?) -> CommandOutcome {
    let events = bent(.reply(.init(id: 0, outcome: outcome)), as: .reply, of: command, outcome.view)
    guard case .reply(let reply)? = events.first else { return .noReply }
    return reply.outcome
  }

  /// What becomes of a call of a callback: nothing, itself, or itself twice.
  func callbacks(_ value: JSON, of command: String?) -> [JSON] {
    bent(.callback(handle: "", value: value), as: .callback, of: command, value).compactMap { event in
      if case .callback(_, let value) = event { value } else { nil }
    }
  }

  /// Connections that no subject has opened.
  static let otherConnections = 1_000_000

  private func bent(
    _ event: TranscriptEntry.Event, as subject: Defect.Bend.Subject, of name: String?, _ view: JSON,
    counting: Bool = true
  ) -> [TranscriptEntry.Event] {
    guard fits(view, as: subject, of: name) else { return [event] }
    let result = changed(event)
    if result != [event], counting { noteChange() }
    return result
  }

  private func fits(_ view: JSON, as subject: Defect.Bend.Subject, of name: String?) -> Bool {
    bend.subject == subject && (bend.name == nil || bend.name == name)
      && bend.filter?.match(view, models: models).succeeded ?? true
  }

  private func changed(_ event: TranscriptEntry.Event) -> [TranscriptEntry.Event] {
    switch bend.change {
    case .delay, .reorder: return [event]
    case .lose: return []
    case .repeat: return [event, event]
    default:
      guard let parts = event.parts else { return [event] }
      let bent = changed(parts)
      return [bent == parts ? event : event.rebuilt(from: bent)]
    }
  }

  private func changed(_ parts: JSON) -> JSON {
    switch bend.change {
    case .lose, .repeat, .delay, .reorder: return parts
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

  /// The status that every answer gets.
  private var status: Int? {
    guard case .set(let replacements) = bend.change else { return nil }
    return replacements.first { $0.path.steps == [.key("status")] }?.value.int
  }
}

extension JSON {
  /// The path with a header field's name as the message spells it.
  fileprivate func spelled(_ path: JSONPath) -> JSONPath {
    guard path.steps.count == 2, path.steps[0] == .key("headers"), case .key(let name) = path.steps[1],
      let own = self["headers"]?.object?.keys.first(where: { $0.equalsIgnoringCase(name) })
    else { return path }
    return JSONPath([.key("headers"), .key(own)])
  }
}
