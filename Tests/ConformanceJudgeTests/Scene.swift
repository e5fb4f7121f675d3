import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceJudge

/// A transcript written as a list of events, one millisecond apart.
struct Scene {
  var events: [TranscriptEntry.Event] = []
  var subject = Subject(name: "subject", version: "1", capabilities: ["events"])
  var ending: TranscriptEntry.Ending? = .init(.completed)

  static let instance = CaseInstance(id: "some.case", row: nil, dialect: "plain")

  var transcript: Transcript {
    let header = TranscriptHeader(
      kit: "test", protocolName: "example", specRevision: "1", role: .sdk, instance: Self.instance, clock: .virtual,
      epoch: 0, seed: 1, subject: subject, bindings: ["main": ["url": "http://127.0.0.1:1"]])
    let all = events + (ending.map { [.end($0)] } ?? [])
    return Transcript(
      header: header,
      entries: all.enumerated().map { index, event in
        TranscriptEntry(number: index + 1, at: .milliseconds(Double(index)), event: event)
      })
  }

  var evaluator: AssertionEvaluator {
    AssertionEvaluator(evidence: Evidence(transcript: transcript, models: [:]), checks: Self.checks)
  }

  static let checks: [String: Check] = [
    "never-holds": Check(text: "Never holds.") { _, with in
      [Finding(subject: "check", expected: "nothing", observed: with.compactText)]
    },
    "holds": Check(text: "Holds.") { _, _ in [] },
  ]

  static func request(
    _ exchange: String?, _ body: JSON = [:], upstream: String = "main", connection: Int = 1
  ) -> TranscriptEntry.Event {
    .request(
      upstream: upstream,
      RequestRecord(
        connection: connection, line: "POST /\(exchange ?? "other")?q=1 HTTP/1.1", headers: ["X-One": "1"],
        body: Octets(body.compactText.utf8), exchange: exchange))
  }

  static func response(_ status: Int, connection: Int = 1) -> TranscriptEntry.Event {
    .response(
      upstream: "main",
      ResponseRecord(connection: connection, line: "HTTP/1.1 \(status) X", headers: [:], body: Octets([])))
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
  _ exchange: String, after: String? = nil, before: String? = nil, where filter: Template? = nil
) -> Selector {
  Selector(.request(exchange: exchange), after: after, before: before, filter: filter)
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
