import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import LinkForty

@Suite struct CheckTests {
  private static let epoch = 1_767_225_600_000

  private func findings(
    _ name: String, _ events: [TranscriptEntry.Event], _ with: JSON = [:], clock: ClockMode = .virtual,
    platform: String? = nil
  ) throws -> [Finding] {
    let entries = events.enumerated().map {
      TranscriptEntry(number: $0.offset + 1, at: .milliseconds(Double($0.offset) * 1000), event: $0.element)
    }
    let header = TranscriptHeader(
      kit: "test", protocolName: "linkforty", specRevision: "2026-03-12", role: "sdk",
      instance: CaseInstance(id: "a", row: nil, dialect: "spec"), clock: clock, epoch: Self.epoch, seed: 0,
      subjects: ["sdk": Subject(name: "s", version: "1", platform: platform)], bindings: [:])
    let evidence = Evidence(transcript: Transcript(header: header, entries: entries), models: [:])
    return try #require(LinkFortyPack.pack.checks[name]).findings(evidence, with)
  }

  private func request(
    _ exchange: String, _ body: JSON, target: String = "/x", headers: HTTPHeaders = [:], connection: Int = 1
  ) -> TranscriptEntry.Event {
    .request(
      upstream: "main",
      RequestRecord(
        connection: connection, line: "POST \(target) HTTP/1.1", headers: headers, body: Octets(body.compactText.utf8),
        exchange: exchange))
  }

  private func response(_ status: Int, connection: Int = 1) -> TranscriptEntry.Event {
    .response(
      upstream: "main",
      ResponseRecord(connection: connection, line: "HTTP/1.1 \(status) X", headers: [:], body: Octets([])))
  }

  private func track(_ name: String) -> TranscriptEntry.Event {
    .command(.init(id: 1, name: "trackEvent", params: ["name": .string(name)], label: nil))
  }

  @Test(arguments: [
    ("Europe/Berlin", 0), ("America/Argentina/Buenos_Aires", 0), ("UTC", 0), ("Etc/GMT+5", 0), ("EST", 1), ("GMT-5", 1),
    ("+05:30", 1), ("", 1), ("europe/berlin", 1), ("Europe/", 1),
  ])
  func timeZones(_ zone: String, _ count: Int) throws {
    #expect(try findings("iana-timezone", [request("install", ["timezone": .string(zone)])]).count == count)
  }

  @Test func aTimeZoneMustBeThere() throws {
    #expect(try findings("iana-timezone", [request("install", [:])]).count == 1)
    #expect(try findings("iana-timezone", []).count == 1)
  }

  @Test(
    arguments: [
      ("iOS", "ios", 0), ("android", "iOS", 1), (nil, "ios", 1), ("ios", nil, 1),
    ] as [(String?, String?, Int)])
  func thePlatformIsTheDeclaredOne(declared: String?, sent: String?, count: Int) throws {
    let body: JSON = sent.map { ["platform": .string($0)] } ?? [:]
    #expect(try findings("platform-as-declared", [request("install", body)], platform: declared).count == count)
    #expect(try findings("platform-as-declared", [], platform: declared).count == 1)
  }

  @Test func nullsAreFoundWhereverTheyAre() throws {
    let body: JSON = ["a": .null, "b": [["c": .null]], "data": ["d": .null]]
    let found = try findings("no-null-members", [request("install", body)])
    #expect(found.map(\.path.description) == ["$.body.a", "$.body.b[0].c", "$.body.data.d"])
    let spared = try findings("no-null-members", [request("install", body)], ["except": ["$.body.data"]])
    #expect(spared.count == 2)
    #expect(try findings("no-null-members", [request("install", ["a": 1])]).isEmpty)
    #expect(try findings("no-null-members", []).count == 1)
  }

  @Test func aSecretIsFoundWhereverItIs() throws {
    let secret = "a b"
    let innocent = request("event", ["x": 1], headers: ["Authorization": "Bearer a b", "X-Other": "y"])
    #expect(try findings("secret-not-leaked", [innocent], ["text": .string(secret)]).isEmpty)
    let guilty = [
      request("event", [:], target: "/x?user=a%20b"), request("event", ["user": "a b"]),
      request("event", [:], headers: ["X-User": "a b"]), request("event", ["key": "[redacted]"]),
    ]
    for one in guilty { #expect(try findings("secret-not-leaked", [one], ["text": .string(secret)]).count == 1) }
    #expect(try findings("secret-not-leaked", [], ["text": "a"]).count == 1)
    #expect(throws: Check.Misuse.self) { try findings("secret-not-leaked", [innocent]) }
  }

  @Test func acceptedEventsAreComparedWithTrackedOnes() throws {
    let good = [track("a"), track("a"), request("event", ["eventName": "a"]), response(200)]
    #expect(try findings("same-events", good + [request("event", ["eventName": "a"]), response(200)]).isEmpty)
    let lost = try findings("same-events", good)
    #expect(lost.map(\.observed) == ["1"])
    let unanswered = try findings("same-events", [track("a"), request("event", ["eventName": "a"])])
    #expect(unanswered.map(\.observed) == ["0"])
    let refused = try findings("same-events", good + [request("event", ["eventName": "a"]), response(500)])
    #expect(refused.count == 1)
    let twice = good + good.suffix(2) + good.suffix(2)
    #expect(try findings("same-events", twice).map(\.observed) == ["3"])
    #expect(try findings("same-events", []).count == 1)
  }

  @Test func timestampsAreComparedWithTheCall() throws {
    func sent(_ time: String) -> [TranscriptEntry.Event] {
      [track("a"), request("event", ["eventName": "a", "timestamp": .string(time)])]
    }
    #expect(try findings("timestamps-near-call", sent("2026-01-01T00:00:02Z")).isEmpty)
    #expect(try findings("timestamps-near-call", sent("2026-01-01T02:00:00+02:00")).isEmpty)
    #expect(try findings("timestamps-near-call", sent("2026-01-01T00:00:02.001Z")).count == 1)
    #expect(try findings("timestamps-near-call", sent("2026-01-01T00:00:02Z"), ["within": 500]).count == 1)
    #expect(try findings("timestamps-near-call", sent("yesterday")).count == 1)
    let another = request("event", ["eventName": "session_start", "timestamp": "2020-01-01T00:00:00Z"])
    #expect(try findings("timestamps-near-call", sent("2026-01-01T00:00:00Z") + [another]).isEmpty)
    #expect(try findings("timestamps-near-call", [another]).count == 1)
  }

  @Test func aScaledClockMayLagBehind() throws {
    func sent(_ time: String) -> [TranscriptEntry.Event] {
      [
        .output(Octets([])), .output(Octets([])), track("a"),
        request("event", ["eventName": "a", "timestamp": .string(time)]),
      ]
    }
    let within: JSON = ["within": 500]
    let times = [
      "2025-12-31T23:59:59.400Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:02.600Z",
    ]
    let scaled = try times.map { try findings("timestamps-near-call", sent($0), within, clock: .scaled).count }
    #expect(scaled == [1, 0, 0, 1])
    #expect(try times.map { try findings("timestamps-near-call", sent($0), within).count } == [1, 1, 0, 1])
  }

  @Test(arguments: [(nil, 0, 500, 1), (nil, 1, 500, 0), (nil, 0, 200, 0), ("network", 0, 500, 0), (nil, nil, 500, 1)])
  func anEventIsRefusedOrKeptOrAccepted(_ error: String?, _ size: Int?, _ status: Int, _ count: Int) throws {
    let outcome = error.map { CommandOutcome.error(CommandError(kind: $0)) } ?? .result(.null)
    let events: [TranscriptEntry.Event] = [
      .command(.init(id: 1, name: "trackEvent", params: ["name": "a"], label: "call")),
      .reply(.init(id: 1, outcome: outcome)),
      .command(.init(id: 2, name: "queueSize", params: [:], label: "size")),
      .reply(.init(id: 2, outcome: size.map { .result(.int($0)) } ?? .noReply)),
      request("event", ["eventName": "a"]), response(status),
    ]
    let with: JSON = ["call": "call", "size": "size", "event": "a"]
    #expect(try findings("refused-or-kept", events, with).count == count)
    #expect(throws: Check.Misuse.self) { try findings("refused-or-kept", events, ["call": "call"]) }
  }

  private func answered(_ label: String, _ body: JSON) -> [TranscriptEntry.Event] {
    let request = RequestRecord(
      connection: 1, line: "GET / HTTP/1.1", headers: [:], body: Octets([]), exchange: "resolve")
    let response = ResponseRecord(
      connection: 1, line: "HTTP/1.1 200 OK", headers: ["Content-Type": "application/json"],
      body: Octets(body.compactText.utf8))
    return [.sent(label: label, service: "main", request), .received(label: label, response)]
  }

  @Test(arguments: [
    ("2026-01-01T09:00:00.000Z", 0), ("2026-01-01T11:00:01.999+02:00", 0), ("2026-01-01T08:59:58Z", 0),
    ("2026-01-01T09:00:02.001Z", 1), ("2026-01-01T10:00:00Z", 1), ("yesterday", 1),
  ])
  func instantsAreSoFarApart(_ instant: String, _ count: Int) throws {
    let events = answered("a", ["t": .string(instant)]) + answered("b", ["t": "2026-01-01T10:00:00Z"])
    let with: JSON = [
      "earlier": ["step": "a", "at": "$.body.t"], "later": ["step": "b", "at": "$.body.t"], "by": 3_600_000,
    ]
    #expect(try findings("instants-apart", events, with).count == count)
  }

  @Test func instantsMustBeThere() throws {
    let with: JSON = ["earlier": ["step": "a", "at": "$.x"], "later": ["step": "b", "at": "$.x"], "by": 0]
    #expect(try findings("instants-apart", [], with).count == 2)
    #expect(throws: Check.Misuse.self) { try findings("instants-apart", [], ["by": 0]) }
  }
}
