import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import ConformanceJudge

/// A transcript written as a list of events, one millisecond apart.
struct Scene {
  var events: [TranscriptEntry.Event] = []
  var subject = Subject(name: "subject", version: "1", capabilities: ["events"])
  var ending: TranscriptEntry.Ending? = .init(.completed)
  var clock = ClockMode.virtual
  var bindings: Bindings = ["main": ["url": "http://127.0.0.1:1"]]

  static let instance = CaseInstance(id: "some.case", row: nil, dialect: "plain")

  var transcript: Transcript {
    let header = TranscriptHeader(
      kit: "test", protocolName: "example", specRevision: "1", role: "sdk", instance: Self.instance, clock: clock,
      epoch: 0, seed: 1, subjects: ["sdk": subject], bindings: bindings)
    let all = events + (ending.map { [.end($0)] } ?? [])
    return Transcript(
      header: header,
      entries: all.enumerated().map { index, event in
        TranscriptEntry(number: index + 1, at: .milliseconds(Double(index)), event: event)
      })
  }

  var evaluator: AssertionEvaluator {
    AssertionEvaluator(
      evidence: Evidence(transcript: transcript, models: [:]), catalogue: Self.catalogue(),
      checks: Self.checks.merging(CommonChecks.all) { own, _ in own })
  }

  /// A protocol of two exchanges, `event` and `install`, with these cases.
  static func catalogue(
    _ cases: [Case] = [], requirements: [Requirement] = [], everyRequest: [Claim] = []
  ) -> Catalogue {
    let definition = ProtocolDefinition(
      name: "example", title: "Example", document: "D", revision: "1",
      services: [.init(name: "main", text: "The only one.")],
      roles: [
        .init(role: "sdk", ports: Ports(hasDriver: true, upstream: ["main"])),
        .init(role: "server", ports: Ports(downstream: ["main"])),
      ], dialects: ["plain"],
      capabilities: [
        .init(name: "must-have", roles: ["sdk"], isRequired: true, text: "", requirements: ["R-1"]),
        .init(name: "may-have", roles: ["sdk"], isRequired: false, text: ""),
        .init(name: "lent", roles: ["server"], isRequired: false, text: "", isClientAddress: true),
      ],
      commands: ["makeLink", "dropLink"].map {
        .init(name: $0, roles: ["server"], text: "", capabilities: ["lent"], params: true, result: true)
      }, values: [.init(name: "key", text: "", capability: "lent")])
    return Catalogue(
      definition: definition, requirements: requirements, positions: [], cases: cases, exchanges: exchanges,
      models: [:], defects: [], everyRequest: everyRequest)
  }

  private static let exchanges = [
    Exchange(
      name: "event", text: "", service: "main",
      request: .init(
        method: "POST", path: template("/event"), query: ["q": template("${q}")],
        headers: ["X-One": template("1"), "X-Two?": template("2")], body: template(["name": "${name:text}"]))),
    Exchange(name: "install", text: "", service: "main", request: .init(method: "POST", path: template("/install"))),
  ]

  static let checks: [String: Check] = [
    "never-holds": Check(text: "Never holds.") { _, with in
      [Finding(subject: "check", expected: "nothing", observed: with.compactText)]
    },
    "holds": Check(text: "Holds.") { _, _ in [] },
  ]

  static func request(
    _ exchange: String?, _ body: JSON = [:], upstream: String = "main", connection: Int = 1,
    headers: HTTPHeaders = ["X-One": "1"]
  ) -> TranscriptEntry.Event {
    .request(
      upstream: upstream,
      RequestRecord(
        connection: connection, line: "POST /\(exchange ?? "other")?q=1 HTTP/1.1", headers: headers,
        body: Octets(body.compactText.utf8), exchange: exchange))
  }

  static func response(_ status: Int, _ body: JSON? = nil, connection: Int = 1) -> TranscriptEntry.Event {
    .response(
      upstream: "main",
      ResponseRecord(
        connection: connection, line: "HTTP/1.1 \(status) X", headers: [:],
        body: Octets(body.map { Array($0.compactText.utf8) } ?? [])))
  }

  static func kept(_ connection: Int = 1) -> TranscriptEntry.Event { .kept(upstream: "main", connection: connection) }

  static func closed(_ connection: Int = 1, by closer: TranscriptEntry.Closer = .subject) -> TranscriptEntry.Event {
    .closed(upstream: "main", connection: connection, by: closer)
  }

  static func call(_ id: Int, _ name: String, _ label: String) -> TranscriptEntry.Event {
    .command(.init(id: id, name: name, params: [:], label: label))
  }

  static func reply(_ id: Int, _ result: JSON) -> TranscriptEntry.Event {
    .reply(.init(id: id, outcome: .result(result)))
  }

  static func failure(_ id: Int, _ kind: String, status: Int? = nil) -> TranscriptEntry.Event {
    .reply(.init(id: id, outcome: .error(CommandError(kind: kind, status: status))))
  }

  static func began(_ label: String) -> TranscriptEntry.Event {
    .stepBegan(.init(place: "1", word: "call", label: label))
  }

  static func ended(_ label: String) -> TranscriptEntry.Event {
    .stepEnded(.init(place: "1", word: "call", label: label))
  }
}

/// A selector of an exchange's requests.
func requests(
  _ exchange: String, at service: ServiceName? = nil, after: String? = nil, before: String? = nil,
  where filter: Template? = nil, items: JSONPath? = nil
) -> Selector {
  Selector(.request(exchange: exchange), at: service, after: after, before: before, filter: filter, items: items)
}

/// A path of a test's own spelling.
func path(_ text: String) -> JSONPath {
  guard let path = JSONPath(text) else {
    Issue.record("not a path: \(text)")
    return .root
  }
  return path
}

/// A template of a test's own spelling.
func template(_ json: JSON) -> Template {
  do {
    return try Template(json)
  } catch {
    Issue.record("not a template: \(error)")
    return Template(.literal(json))
  }
}
