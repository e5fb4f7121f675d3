import ConformanceModel
import ConformanceTranscript
import JSONKit
import Testing

@testable import ConformanceJudge

/// Claims about what many observations are to each other.
@Suite struct ManyObservationsTests {
  @Test(arguments: series + latest + together + golden + spans)
  func assertion(_ example: AssertionExample) throws {
    let scene = Scene(events: example.events)
    #expect(try scene.evaluator.findings(of: example.assertion).map(\.description) == example.findings)
  }

  private static func named(_ names: JSON?...) -> [TranscriptEntry.Event] {
    names.map { Scene.request("event", $0.map { ["name": $0] } ?? [:]) }
  }

  private static func series(
    _ name: String, _ events: [TranscriptEntry.Event], _ relation: Claim.Series, _ findings: String...
  ) -> AssertionExample {
    .init(
      name: "\(relation.rawValue) \(name)", events: events,
      assertion: .series(requests("event"), at: path("$.body.name"), is: relation),
      findings: findings.map { $0.hasPrefix("event") ? $0 : "event request $.body.name: expected \($0)" })
  }

  static let series = [
    series("holds", named("a", "a"), .same),
    series("holds for equal numbers", named(1, JSON.Number(lexeme: "1.0").map(JSON.number)), .same),
    series("differs", named("a", "b"), .same, "\"a\", as before, observed \"b\" (entries 1, 2)"),
    series("of one proves nothing", named("a"), .same, "event requests: expected at least 2, observed 1 (entry 1)"),
    series("with a gap", named("a", nil, "a"), .same, "a value, observed nothing (entry 2)"),
    series(
      "goes on behind a gap", named("a", .null, "b"), .same,
      "a value, observed nothing (entry 2)", "\"a\", as before, observed \"b\" (entries 1, 3)"),
    series("holds", named("a", "b", "c"), .different),
    series(
      "sees all before", named("a", "b", "a"), .different,
      "a value not seen before, observed \"a\" (entries 1, 3)"),
    series("holds", named(1, 2, 10), .ascending),
    series("compares texts of digits as numbers", named("9", "10"), .ascending),
    series(
      "finds texts of digits that fall", named("10", "9"), .ascending,
      "more than \"10\", which came before, observed \"9\" (entries 1, 2)"),
    series("compares other texts by their scalars", named("a", "b"), .ascending),
    series(
      "does not hold for equals", named(1, 1), .ascending,
      "more than 1, which came before, observed 1 (entries 1, 2)"),
    series(
      "of what cannot be compared", named(1, true), .ascending,
      "more than 1, which came before, observed true (entries 1, 2)"),
    series("holds for equals", named(1, 1, 2), .notDescending),
    series("differs", named(2, 1), .notDescending, "at least 2, which came before, observed 1 (entries 1, 2)"),
    series(
      "of what cannot be compared", named(1, true), .notDescending,
      "at least 1, which came before, observed true (entries 1, 2)"),
  ]

  /// An answer to `install` that gives a token; whole once its connection is over.
  private static func given(_ token: String, _ connection: Int) -> [TranscriptEntry.Event] {
    [
      Scene.request("install", connection: connection),
      Scene.response(200, ["token": .string(token)], connection: connection),
    ]
  }

  private static func carried(_ token: String?) -> TranscriptEntry.Event {
    Scene.request("event", token.map { ["token": .string($0)] } ?? [:], connection: 9)
  }

  private static func latest(
    _ name: String, _ events: [TranscriptEntry.Event], _ findings: String...
  ) -> AssertionExample {
    .init(
      name: "latest \(name)", events: events,
      assertion: .latest(
        requests("event"), at: path("$.body.token"), from: Selector(.response(exchange: "install")),
        fromPath: path("$.body.token")), findings: findings)
  }

  private static let first = given("a", 1) + [Scene.closed(1)]
  private static let second = given("b", 2) + [Scene.closed(2)]
  private static let crossed = [
    Scene.request("install", connection: 1), Scene.request("install", connection: 2),
    Scene.response(200, ["token": "a"], connection: 1), Scene.response(200, ["token": "b"], connection: 2),
    Scene.closed(2), Scene.closed(1),
  ]

  static let latest = [
    latest("holds", first + [carried("a")]),
    latest("holds after another", first + second + [carried("b")]),
    latest(
      "is stale", first + second + [carried("a")],
      "event request $.body.token: expected \"b\", as install response gave it last, observed \"a\" (entries 5, 7)"),
    latest("holds on a connection that is kept", given("a", 1) + [Scene.kept(1), carried("a")]),
    latest(
      "is stale on a connection that is kept",
      given("a", 1) + [Scene.kept(1)] + given("b", 1) + [
        Scene.kept(1), carried("a"),
      ],
      "event request $.body.token: expected \"b\", as install response gave it last, observed \"a\" (entries 5, 7)"),
    latest("may be the one on its way", first + given("b", 2) + [carried("b")]),
    latest("may not be the one on its way yet", first + given("b", 2) + [carried("a")]),
    latest(
      "is neither", first + given("b", 2) + [carried("c")],
      "event request $.body.token: expected \"b\", as install response gave it last, observed \"c\" (entries 2, 6)"),
    latest("may be the one of two that overlap which was whole last", crossed + [carried("a")]),
    latest("may be the other of two that overlap", crossed + [carried("b")]),
    latest(
      "is none of two that overlap", crossed + [carried("c")],
      "event request $.body.token: expected \"a\", as install response gave it last, observed \"c\" (entries 3, 7)"),
    latest(
      "is not one before two that overlap", given("z", 3) + [Scene.closed(3)] + crossed + [carried("z")],
      "event request $.body.token: expected \"a\", as install response gave it last, observed \"z\" (entries 6, 10)"),
    latest(
      "is left out", first + [carried(nil)],
      "event request $.body.token: expected \"a\", as install response gave it last, observed nothing (entries 2, 4)"),
    latest(
      "is made up", [carried("x")],
      "event request $.body.token: expected nothing, as none was given, observed \"x\" (entry 1)"),
    latest("is nothing before the first", [carried(nil)] + first),
    latest("of no request proves nothing", first, "event requests: expected at least one, observed none"),
  ]

  private static func atOnce(
    _ name: String, _ events: [TranscriptEntry.Event], _ findings: String...
  ) -> AssertionExample {
    .init(
      name: "at once \(name)", events: events, assertion: .atOnce(requests("event"), is: template(1)),
      findings: findings)
  }

  private static let one = Scene.request("event", connection: 1)
  private static let two = Scene.request("event", connection: 2)

  static let together = [
    atOnce("holds", [one, Scene.response(200, connection: 1), two, Scene.response(200, connection: 2)]),
    atOnce(
      "differs", [one, two, Scene.response(200, connection: 1), Scene.response(200, connection: 2)],
      "event requests open at the same time: expected 1, observed 2 (entries 1, 2)"),
    atOnce(
      "differs though nothing was answered", [one, two],
      "event requests open at the same time: expected 1, observed 2 (entries 1, 2)"),
    atOnce(
      "is over when a slow answer is out and its connection stays",
      [
        one, .fault(upstream: "main", connection: 1, kind: "drip"), Scene.response(200, connection: 1), Scene.kept(1),
        two,
      ]),
    atOnce("is over when the subject gives up", [one, Scene.closed(1), two]),
    atOnce(
      "is over when the wire breaks",
      [one, .fault(upstream: "main", connection: 1, kind: "drop"), Scene.closed(1, by: .kit), two]),
    atOnce(
      "is not over while an answer drips",
      [one, .fault(upstream: "main", connection: 1, kind: "drip"), Scene.response(200, connection: 1), two],
      "event requests open at the same time: expected 1, observed 2 (entries 1, 4)"),
    atOnce("of nothing proves nothing", [], "event requests: expected at least one, observed none"),
  ]

  private static func golden(
    _ name: String, _ event: TranscriptEntry.Event, _ selector: Selector = requests("event"), _ findings: String...
  ) -> AssertionExample {
    .init(name: "golden \(name)", events: [event], assertion: .golden(selector), findings: findings)
  }

  static let golden = [
    golden("holds", Scene.request("event", ["name": "a"])),
    golden(
      "lacks a header", Scene.request("event", ["name": "a"], headers: [:]), requests("event"),
      "event request $.headers.x-one: expected \"1\", observed nothing (entry 1)"),
    golden(
      "has another value in an optional header",
      Scene.request("event", ["name": "a"], headers: ["X-One": "1", "x-two": "3"]), requests("event"),
      "event request $.headers.x-two: expected \"2\", observed \"3\" (entry 1)"),
    golden(
      "has another body", Scene.request("event", ["name": 5]), requests("event"),
      "event request $.body.name: expected a non-empty string, observed 5 (entry 1)"),
    golden(
      "is of no exchange", Scene.request(nil), requests(Selector.any),
      "request $.target: expected a golden exchange, observed POST /other?q=1, which fits none (entry 1)"),
    golden(
      "of nothing proves nothing", Scene.request("install"), requests("event"),
      "event requests: expected at least one, observed none"),
  ]

  private static let pair = named("a", "b")

  static let spans: [AssertionExample] = [
    .init(name: "gaps hold", events: pair, assertion: .gaps(requests("event"), are: [template(1)]), findings: []),
    .init(
      name: "gaps differ", events: pair, assertion: .gaps(requests("event"), are: [template(["$at-least": 2])]),
      findings: ["time from event request 1 to the next: expected at least 2 ms, observed 1 ms (entries 1, 2)"]),
    .init(
      name: "gaps that are not there", events: pair,
      assertion: .gaps(requests("event"), are: [template(1), template(1)]),
      findings: ["event requests: expected at least 3, observed 2 (entries 1, 2)"]),
    .init(
      name: "any of holds", events: pair,
      assertion: .anyOf([.never(requests("event")), .count(requests("event"), is: template(2))]), findings: []),
    .init(
      name: "any of differs", events: pair,
      assertion: .anyOf([.never(requests("event")), .count(requests("event"), is: template(1))]),
      findings: [
        "one of 2 ways: expected event requests: none, or event requests: 1, observed 2, 2 (entries 1, 2)"
      ]),
  ]
}
