import JSONKit
import Testing

@testable import MobileEngage

/// The app becomes another application while it runs.
@Suite struct ApplicationCodeTests {
  private static let other = "EMS22-7A1B4"

  private static func changed(_ stage: inout Stage) -> String {
    stage.call { .setApplicationCode(other, handle: $0) }
  }

  @Test func theNewOneIsToldNothingOfTheOld() throws {
    var stage = Stage.started(events: .v4, isForeground: false)
    stage.signIn("anna")
    stage.push("fcm:1")
    stage.track("one")
    stage.acceptOne()
    stage.acceptOne()
    stage.answer(200, ["deviceEventState": ["n": 1]])
    let before = stage.sent.count
    let call = Self.changed(&stage)
    stage.accept()
    stage.track("two")
    #expect(
      stage.trace(from: before) == [
        "POST client", "POST contact?anonymous=true", "PUT push-token", "POST events two",
      ])
    let sent = stage.sent.dropFirst(before)
    #expect(sent.allSatisfy { $0.path.split(separator: "/")[2] == Self.other })
    #expect(sent.first?.state == nil)
    #expect(sent.first?.headers["X-Client-Id"] == stage.sent[0].headers["X-Client-Id"], "the installation is the same")
    #expect(sent.last?.contactToken.map { $0 == stage.sent[before - 1].contactToken } == false)
    #expect(sent.last?.json?["deviceEventState"] == nil)
    #expect(stage.outcomes(call) == [["ok": true]])
  }

  @Test func whatWaitsForTheOldOneIsGivenUp() throws {
    var stage = Stage.started(isForeground: false)
    let calls = [stage.track("one"), stage.track("two"), stage.signIn("anna")]
    let flight = try #require(stage.open.first).id
    let before = stage.sent.count
    _ = Self.changed(&stage)
    #expect(stage.cancelled == 1)
    #expect(
      calls.map { stage.outcomes($0).map { $0["error"]?["kind"] } } == [["rejected"], ["rejected"], ["rejected"]])
    stage.answerLate(flight, 204)
    stage.accept()
    #expect(stage.trace(from: before) == ["POST client", "POST contact?anonymous=true"])
    #expect(stage.sent[before + 1].state == "cs-\(before + 1)", "the old one's late answer counts for nothing")
  }

  @Test(arguments: [(Stage.code, true), ("", false)])
  func whatIsNoChangeChangesNothing(_ code: String, _ isSuccess: Bool) {
    var stage = Stage.started()
    let before = stage.sent.count
    let call = stage.call { .setApplicationCode(code, handle: $0) }
    #expect(stage.sent.count == before)
    #expect(stage.succeeded(call) == isSuccess)
  }

  @Test func theNewOneIsRegisteredOnce() {
    var stage = Stage.started(isForeground: false)
    _ = Self.changed(&stage)
    stage.accept()
    let before = stage.sent.count
    stage.surround(["foreground": true])
    stage.accept()
    #expect(!stage.trace(from: before).contains("POST client"))
  }
}
