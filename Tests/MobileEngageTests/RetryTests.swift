import JSONKit
import Testing

@testable import MobileEngage

/// The handling of a request that was not accepted.
@Suite struct RetryTests {
  static let kept = [301, 302, 304, 408, 429, 500, 502, 503, 504, 599]
  static let final = [400, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 451, 499]

  @Test(arguments: kept)
  func whatFailsForTheMomentIsSentAgain(_ status: Int) throws {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one", ["n": "1"])
    let first = try #require(stage.last)
    stage.answer(status)
    #expect(stage.outcomes(call).isEmpty)
    #expect(stage.open.isEmpty, "not at once")
    stage.pass(EngageCore.Patience.retry)
    let again = try #require(stage.last)
    #expect(again.body == first.body)
    #expect(try #require(again.order) > #require(first.order))
    stage.answer(204)
    #expect(stage.outcomes(call) == [["ok": true]])
  }

  @Test(arguments: final)
  func whatFailsForGoodIsToldAndNotSentAgain(_ status: Int) {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    stage.answer(status)
    stage.pass(600_000)
    #expect(stage.outcomes(call).map { $0["error"]?["status"] } == [.int(status)])
    #expect(stage.reported.filter { $0 == "one" }.count == 1)
  }

  @Test func noAnswerIsAFailureForTheMoment() {
    var stage = Stage.started(isForeground: false)
    let call = stage.track("one")
    stage.lose()
    stage.pass(EngageCore.Patience.retry)
    #expect(stage.reported.suffix(2) == ["one", "one"])
    stage.answer(204)
    #expect(stage.outcomes(call) == [["ok": true]])
  }

  @Test func aServerThatNeverAnswersIsGivenUp() throws {
    var stage = Stage.started(isForeground: false)
    stage.track("one")
    let stalled = try #require(stage.open.first).id
    stage.pass(EngageCore.Patience.answer)
    #expect(stage.cancelled == 1)
    stage.pass(EngageCore.Patience.retry)
    #expect(stage.reported.suffix(2) == ["one", "one"])
    stage.answerLate(stalled, 204)
    #expect(stage.open.count == 1, "an answer that nobody waits for any more counts for nothing")
    #expect(stage.last?.state != "cs-late")
  }

  /// The events that cause a retry before the pause is over.
  @Test(arguments: [
    "another call", "the network", "the foreground", "a restart",
  ])
  func thereIsReasonToTryAgain(_ reason: String) {
    var stage = Stage.started(isForeground: false)
    stage.track("one")
    stage.answer(503)
    switch reason {
    case "another call": stage.track("two")
    case "the network": stage.surround(["online": true])
    case "the foreground": stage.surround(["foreground": true])
    default: stage.relaunch(isForeground: false)
    }
    #expect(stage.trace.last == "POST events one")
  }

  @Test func aServerThatIsDownIsNotFlooded() {
    var stage = Stage.started(isForeground: false)
    stage.track("one")
    let before = stage.sent.count
    for _ in 1...20 {
      if !stage.open.isEmpty { stage.answer(503) }
      stage.pass(500)
    }
    // Ten seconds contain four of its pauses.
    #expect(stage.sent.count == before + 4)
  }

  @Test func ordersNeverFallNotEvenWhenTheClockDoes() {
    var stage = Stage.started()
    stage.surround(["wallClockOffset": -3_600_000])
    stage.track("one")
    stage.accept()
    stage.relaunch()
    stage.accept()
    let orders = stage.sent.compactMap(\.order)
    #expect(orders.count == stage.sent.count)
    #expect(zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 })
  }
}
