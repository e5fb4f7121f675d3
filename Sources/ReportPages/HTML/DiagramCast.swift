import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Records

/// The participants of a transcript. Each participant has a lane in the diagram.
struct DiagramCast {
  /// A message from one lane to another, or an event in a single lane.
  struct Message {
    var from: Int
    var to: Int
    var text: String
  }

  private(set) var lanes: [String]
  /// The role and the lane of each subject. A single subject is the sender or receiver of all messages, whatever its
  /// role is.
  private var subjects: [(role: Role, lane: Int)]
  /// Maps the name of each service to the role of the subject that calls it. This is needed only if several subjects
  /// take part.
  private let callers: [String: Role]
  /// The lane of the kit when it calls a server under test as a client.
  private let client: Int
  private let text = EntryText(width: 1000)

  package init(of transcript: Transcript, in definition: ProtocolDefinition?) {
    let events = transcript.entries.map(\.event)
    let isDriven = events.contains { if case .command = $0 { true } else { false } }
    let isCalled = events.contains { if case .sent = $0 { true } else { false } }
    let roles = transcript.header.subjects.keys.sorted {
      // The driven subject is next to the app.
      let isDriven = [$0, $1].map { Self.ports($0, definition)?.hasDriver == true ? 0 : 1 }
      return (isDriven[0], $0) < (isDriven[1], $1)
    }
    let names = roles.isEmpty ? [transcript.header.role] : roles
    // The lane of the kit is first. The kit appears as the app that drives, or as the client that calls.
    lanes = [isDriven ? "app" : isCalled ? "client" : "kit"]
    client = 0
    subjects = names.enumerated().map { (role: $1, lane: 1 + $0) }
    lanes += names.map { $0.rawValue == "sdk" ? "SDK" : $0.rawValue }
    var callers: [String: Role] = [:]
    for role in names.reversed() {
      for service in Self.ports(role, definition)?.upstream ?? [] { callers[service.rawValue] = role }
    }
    self.callers = callers
  }

  private static func ports(_ role: Role, _ definition: ProtocolDefinition?) -> Ports? {
    definition?.roles.first { $0.role == role }?.ports
  }

  /// The message that shows an event; nil if the diagram does not show the event. A reply without a value is shown only
  /// if a finding names its entry (`isJudged`).
  mutating func message(of event: TranscriptEntry.Event, isJudged: Bool) -> Message? {
    let subject = subjects[0].lane
    switch event {
    case .command(let command): return Message(from: 0, to: subject, text: titled(command.name, command.params))
    case .reply(let reply):
      if !isJudged, reply.isEnded || reply.outcome == .result(.null) { return nil }
      return Message(from: subject, to: 0, text: text.outcome(reply.outcome))
    case .callback(let handle, let value):
      return Message(from: subject, to: 0, text: "callback \(handle): \(text.shown(value))")
    case .request, .response, .malformed, .fault, .handshake: return upstream(event)
    case .sent(_, let service, let record):
      let named = subjects.count > 1 ? subjects.last?.lane ?? subject : subject
      return Message(from: client, to: named, text: "\(titled(record)) (\(service))")
    case .received(_, let record):
      return Message(from: subjects.last?.lane ?? subject, to: client, text: titled(record))
    case .failed(_, let failure):
      return Message(from: subjects.last?.lane ?? subject, to: client, text: "no response: \(failure.description)")
    case .process(.started(launch: 1)), .end(.init(.completed)): return nil
    case .process, .output, .breach: return Message(from: subject, to: subject, text: text.text(of: event))
    case .cut, .operated, .clock, .end: return Message(from: 0, to: 0, text: text.text(of: event))
    case .stepBegan, .stepEnded, .kept, .closed, .bound: return nil
    }
  }

  /// The message that shows an event between a subject and a service that it calls; nil for any other event.
  private mutating func upstream(_ event: TranscriptEntry.Event) -> Message? {
    switch event {
    case .request(let service, let record):
      let service = (lane(of: service), caller(of: service))
      return Message(from: service.1, to: service.0, text: titled(record))
    case .malformed(let service, _, let reason, let octets):
      let shown = Octets(octets.bytes.prefix(400)).text
      return Message(from: caller(of: service), to: lane(of: service), text: "not HTTP (\(reason)): \(shown)")
    case .response(let service, let record):
      return Message(from: lane(of: service), to: caller(of: service), text: titled(record))
    case .fault(let service, _, let kind):
      let lane = lane(of: service)
      return Message(from: lane, to: lane, text: "fault: \(kind)")
    case .handshake(let service, let handshake):
      return Message(
        from: caller(of: service), to: lane(of: service), text: "TLS \(handshake.outcome.rawValue): \(handshake.text)")
    default: return nil
    }
  }

  private func caller(of service: String) -> Int {
    guard subjects.count > 1, let role = callers[service] else { return subjects[0].lane }
    return subjects.first { $0.role == role }?.lane ?? subjects[0].lane
  }

  /// The lane of a service. If the service has no lane yet, the lane is added.
  private mutating func lane(of service: String) -> Int {
    let first = (subjects.last?.lane ?? 0) + 1
    if let known = lanes[first...].firstIndex(of: service) { return known }
    lanes.append(service)
    return lanes.count - 1
  }

  private func titled(_ name: String, _ value: JSON) -> String {
    value == .object(JSON.Object()) ? name : "\(name) \(text.shown(value))"
  }

  private func titled(_ record: RequestRecord) -> String { titled("\(record.method) \(record.target)", record.body) }

  private func titled(_ record: ResponseRecord) -> String {
    titled(String(record.line.drop { $0 != " " }.dropFirst()), record.body)
  }

  /// The first line of a message with the beginning of its body. Only the visible part of the body is decoded.
  private func titled(_ line: String, _ body: Octets) -> String {
    body.bytes.isEmpty ? line : "\(line) \(Octets(body.bytes.prefix(2000)).text)"
  }
}
