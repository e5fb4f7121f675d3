import JSONKit
import Testing

@testable import MobileEngage

/// The contact token expires, and a refresh token gives another.
@Suite struct TokenRefreshTests {
  /// A request that may be refused with 401.
  struct Refused: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var play: @Sendable (inout Stage) -> String
  }

  static let renewed = [
    Refused(testDescription: "event") { $0.track("one") },
    Refused(testDescription: "push token") { $0.push("fcm:1") },
    Refused(testDescription: "cleared push token") {
      $0.push("fcm:1")
      $0.accept()
      return $0.call { .clearPushToken(handle: $0) }
    },
    Refused(testDescription: "inbox") { $0.call { .fetchInbox(handle: $0) } },
    Refused(testDescription: "geo-fences") { $0.call { .fetchGeofences(handle: $0) } },
  ]

  private static let refresh = "POST contact-token"

  @Test(arguments: renewed)
  func the401OfARequestIsMendedUnseen(_ refused: Refused) throws {
    var stage = Stage.started(isForeground: false)
    let call = refused.play(&stage)
    let first = try #require(stage.last)
    stage.answer(401)
    #expect(stage.trace.last == Self.refresh)
    #expect(stage.last?.json == ["refreshToken": "rt-2"])
    #expect(stage.last?.contactToken == nil)
    stage.answer(200, ["contactToken": "ct-renewed"])
    let again = try #require(stage.last)
    #expect(Stage.name(again) == Stage.name(first))
    #expect(again.body == first.body)
    #expect(again.contactToken == "ct-renewed")
    #expect(stage.outcomes(call).isEmpty)
    stage.answer(204)
    #expect(stage.outcomes(call) == [["ok": true]], "once")
    stage.relaunch(isForeground: false)
    #expect(stage.last?.contactToken == "ct-renewed", "and it is kept")
  }

  @Test(arguments: [
    Refused(testDescription: "sign-in") { $0.signIn("anna") },
    Refused(testDescription: "deep link") { $0.call { .trackDeepLink("1", handle: $0) } },
  ])
  func whatNeedsNoTokenIsRefusedForGood(_ refused: Refused) {
    var stage = Stage.started(isForeground: false)
    let call = refused.play(&stage)
    stage.answer(401)
    #expect(stage.outcomes(call).map { $0["error"]?["status"] } == [401])
    #expect(!stage.trace.contains(Self.refresh))
  }

  @Test func aRequestIsGivenUpAfterThreeRenewals() {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    let next = stage.track("two")
    for _ in 1...3 {
      stage.answer(401)
      stage.answer(200, ["contactToken": "ct-again"])
    }
    stage.answer(401)
    #expect(stage.outcomes(call).map { $0["error"]?["status"] } == [401])
    #expect(stage.trace.last == "POST events two")
    stage.accept()
    #expect(stage.succeeded(next) == true)
  }

  @Test func theThirdRenewalIsNotOneTooMany() {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    for _ in 1...3 {
      stage.answer(401)
      stage.answer(200, ["contactToken": "ct-again"])
    }
    stage.answer(204)
    #expect(stage.outcomes(call) == [["ok": true]])
  }

  @Test(arguments: [400, 401, 403, 404])
  func aRefusedRenewalFailsTheRequestAndIsNotRenewedItself(_ status: Int) {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    stage.answer(401)
    stage.answer(status)
    #expect(stage.outcomes(call).map { $0["ok"] } == [false])
    #expect(stage.trace.filter { $0 == Self.refresh }.count == 1)
  }

  @Test(arguments: [408, 429, 500, 503])
  func aRenewalThatFailsForTheMomentKeepsTheRequest(_ status: Int) {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    stage.answer(401)
    stage.answer(status)
    #expect(stage.open.isEmpty)
    stage.pass(EngageCore.Patience.retry)
    #expect(stage.trace.last == "POST events one")
    stage.accept()
    #expect(stage.outcomes(call) == [["ok": true]])
  }

  @Test(arguments: ["", "{}", #"{"contactToken":""}"#, #"{"contactToken":1}"#, "not json"])
  func aRenewalWithoutATokenFailsTheRequest(_ body: String) {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    stage.answer(401)
    stage.answer(text: body)
    #expect(stage.succeeded(call) == false)
    #expect(stage.open.isEmpty)
    stage.track("two")
    #expect(stage.last?.contactToken == "ct-2", "the old one stays")
  }

  @Test func withoutARefreshTokenThe401IsTheEnd() {
    var stage = Stage.started(isForeground: false)
    stage.relaunch(isForeground: false, without: ["refreshToken"])
    stage.accept()
    let call = stage.track("one")
    stage.answer(401)
    #expect(stage.outcomes(call).map { $0["error"]?["status"] } == [401])
    #expect(!stage.trace.contains(Self.refresh))
  }

  /// The refresh token in the answer to a renewal, and the one that the next renewal uses.
  static let rotations: [(given: JSON?, expected: String)] = [
    ("rt-rotated", "rt-rotated"), (nil, "rt-2"), ("", "rt-2"),
  ]

  @Test(arguments: rotations)
  func aRotatedRefreshTokenTakesThePlaceOfTheOld(_ given: JSON?, _ expected: String) {
    var stage = Stage.started(isForeground: false)
    stage.track("one")
    stage.answer(401)
    stage.answer(200, .object(compact: [("contactToken", "ct-new"), ("refreshToken", given)]))
    stage.accept()
    stage.relaunch(isForeground: false)
    stage.answer(401)
    #expect(stage.last?.json == ["refreshToken": .string(expected)])
  }
}
