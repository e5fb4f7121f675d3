import HTTPValues
import JSONKit
import Testing

@testable import MobileEngage

/// The state that servers give and that every request brings back.
@Suite struct ClientStateTests {
  /// A request whose answer may give a state.
  struct Giver: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var request: String
    var body: JSON?
    /// In an app that was started in the background: no session is in the way.
    var play: @Sendable (inout Stage) -> Void
  }

  static let givers = [
    Giver(testDescription: "registration", request: "POST client") {
      $0.surround(["language": "de-DE", "foreground": true])
    },
    Giver(
      testDescription: "sign-in", request: "POST contact", body: ["contactToken": "ct", "refreshToken": "rt"]
    ) { $0.signIn("anna") },
    Giver(testDescription: "push token", request: "PUT push-token") { $0.push("fcm:1") },
    Giver(testDescription: "cleared push token", request: "DELETE push-token") {
      $0.push("fcm:1")
      $0.accept()
      $0.call { .clearPushToken(handle: $0) }
    },
    Giver(testDescription: "event", request: "POST events one") { $0.track("one") },
    Giver(testDescription: "inbox", request: "GET inbox") { $0.call { .fetchInbox(handle: $0) } },
    Giver(testDescription: "geo-fences", request: "GET geo-fences") { $0.call { .fetchGeofences(handle: $0) } },
  ]

  /// An app in which this request is on its way.
  private static func waiting(for giver: Giver) -> Stage {
    var stage = Stage.started(isForeground: false)
    giver.play(&stage)
    #expect(stage.trace.last == giver.request)
    return stage
  }

  @Test(arguments: givers)
  func theNewestOfAnyAnswerGoesWithTheNextRequest(_ giver: Giver) {
    var stage = Self.waiting(for: giver)
    #expect(stage.last?.state == "cs-\(stage.sent.count - 1)", "the request itself carries the last")
    let next = stage.sent.count
    stage.answer(200, giver.body, state: "cs-new")
    stage.track("probe")
    #expect(stage.sent[next].state == "cs-new")
  }

  @Test(arguments: givers, [nil, ""])
  func anAnswerWithoutOneLeavesTheLast(_ giver: Giver, _ state: String?) {
    var stage = Self.waiting(for: giver)
    let (next, held) = (stage.sent.count, stage.last?.state)
    stage.answer(200, giver.body, headers: state.map { ["X-Client-State": $0] } ?? [:])
    stage.track("probe")
    #expect(held != nil)
    #expect(stage.sent[next].state == held)
  }

  @Test(arguments: givers)
  func aRefusalGivesNone(_ giver: Giver) {
    var stage = Self.waiting(for: giver)
    let (next, held) = (stage.sent.count, stage.last?.state)
    stage.answer(400, state: "cs-of-a-refusal")
    stage.track("probe")
    #expect(stage.sent[next].state == held)
  }

  @Test func aRenewalGivesOneToo() {
    var stage = Stage.started(isForeground: false)
    stage.track("one")
    stage.answer(401)
    stage.answer(200, ["contactToken": "ct-new"], state: "cs-of-the-renewal")
    #expect(stage.trace.last == "POST events one")
    #expect(stage.last?.state == "cs-of-the-renewal")
  }

  @Test(arguments: [
    "a", "a.b-c_d=", "+/;,", "%41%2B", "two words", "\"quoted\"", "007", "null", String(repeating: "s", count: 8192),
  ])
  func itGoesBackAsItCame(_ state: String) {
    var stage = Stage()
    stage.setUp()
    stage.answer(204, state: state)
    #expect(stage.last?.state == state)
    stage.relaunch()
    #expect(stage.last?.state == state, "and over a restart")
  }

  @Test(arguments: ["x-client-state", "X-CLIENT-STATE", "X-Client-State"])
  func itsHeaderHasNoCase(_ name: String) {
    var stage = Stage()
    stage.setUp()
    stage.answer(204, headers: HTTPHeaders([HTTPHeaders.Field(name: name, value: "cs-any-case")]))
    #expect(stage.last?.state == "cs-any-case")
  }

  @Test func nobodyMakesOneUp() {
    var stage = Stage()
    stage.setUp()
    #expect(stage.last?.state == nil)
    stage.answer(204, headers: [:])
    #expect(stage.trace.last == "POST contact?anonymous=true")
    #expect(stage.last?.state == nil)
  }

  @Test func theServiceOfLinksIsToldNothing() throws {
    var stage = Stage.started(isForeground: false)
    let held = "cs-\(stage.sent.count)"
    stage.call { .trackDeepLink("1_2_3", handle: $0) }
    let report = try #require(stage.last)
    #expect(report.path == "/api/clicks")
    #expect(report.json == ["ems_dl": "1_2_3"])
    #expect(["X-Client-Id", "X-Client-State", "X-Contact-Token"].allSatisfy { report.headers[$0] == nil })
    stage.answer(200, [:], state: "cs-of-a-stranger")
    stage.track("probe")
    #expect(stage.last?.state == held)
  }
}
