import Testing

@testable import LinkForty

@Suite struct OfflineQueueTests {
  @Test(arguments: [(99, 99), (100, 100), (101, 100), (103, 100)])
  func theQueueHoldsAHundred(_ sent: Int, _ kept: Int) {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    for number in 1...sent { stage.track("e\(number)") }
    #expect(stage.queueSize == kept)
    #expect(stage.stored(.queue)?.array?.count == kept)
  }

  @Test func anEventThatAFullQueueTurnsAwayIsAnError() {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    for number in 1...100 { #expect(stage.track("e\(number)")?.kind == nil) }
    #expect(stage.track("e101")?.kind == .network)
    stage.network = .up
    let before = stage.sentEvents.count
    stage.call(.flush)
    #expect(Array(stage.sentEvents[before...]) == (1...100).map { "e\($0)" })
    #expect(stage.queueSize == 0)
  }

  @Test(arguments: [false, true])
  func theQueueSurvivesTheEndOfTheApp(_ isKilled: Bool) throws {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    stage.advance(1234)
    stage.track("kept", ["coins": 3, "ratio": 0.5, "tags": ["a", .null]])
    let first = try #require(stage.bodies(of: "/event").first)
    stage.advance(5000)
    stage.restart(killed: isKilled)
    stage.initialize()
    #expect(stage.queueSize == 1)
    stage.network = .up
    stage.call(.flush)
    #expect(stage.bodies(of: "/event").last == first)
    #expect(stage.stored(.queue) == nil)
  }

  @Test(arguments: [(99, 1), (99, 2), (100, 1), (60, 60)])
  func theLimitCountsEarlierLaunches(_ earlier: Int, _ later: Int) {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    for number in 1...earlier { stage.track("e\(number)") }
    stage.restart()
    stage.initialize()
    for number in 1...later { stage.track("f\(number)") }
    #expect(stage.queueSize == 100)
  }

  @Test(arguments: 0..<5)
  func aFlushThatFailsOnTheWayLosesAndDoublesNothing(_ position: Int) {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    for number in 1...5 { stage.track("e\(number)") }
    stage.network = .up
    stage.script = Array(repeating: .up, count: position) + [.refused]
    let before = stage.sentEvents.count
    stage.call(.flush)
    stage.call(.flush)
    var accepted = Array(stage.sentEvents[before...])
    accepted.remove(at: position)
    #expect(accepted == (1...5).map { "e\($0)" })
    #expect(stage.queueSize == 0)
  }

  @Test func theNextEventThatGetsThroughDrainsTheQueue() {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    stage.track("first")
    stage.network = .up
    stage.track("second")
    #expect(stage.queueSize == 0)
    #expect(stage.sentEvents == ["first", "second", "first"])
  }

  @Test func theNextLaunchDrainsTheQueue() {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    stage.track("kept")
    stage.restart(killed: true)
    stage.network = .up
    stage.initialize()
    #expect(stage.queueSize == 0)
  }

  @Test func aTimerDrainsTheQueueWithinAMinuteAndThenRests() {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    stage.track("kept")
    stage.advance(31_000)
    #expect(stage.queueSize == 1)
    stage.network = .up
    stage.advance(60_000)
    #expect(stage.queueSize == 0)
    #expect(stage.timerCount == 0)
  }

  @Test func clearingReachesTheStoredQueueAndSendsNothing() {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    stage.track("kept")
    let before = stage.requests.count
    stage.call(.clearQueue)
    #expect(stage.requests.count == before)
    #expect(stage.stored(.queue) == nil)
    #expect(stage.timerCount == 0)
  }

  @Test func clearingWhileAFlushIsUnderWayStaysCleared() {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    for number in 1...3 { stage.track("e\(number)") }
    stage.network = .held
    stage.call(.flush)
    stage.call(.clearQueue)
    let before = stage.requests.count
    stage.release()
    #expect(stage.queueSize == 0)
    #expect(stage.requests.count == before)
  }

  @Test(arguments: [400, 404, 413, 422])
  func anEventThatTheServerWillNeverTakeDoesNotBlockTheOthers(_ status: Int) {
    let stage = Stage()
    stage.initialize()
    stage.network = .refused
    for name in ["poison", "good"] { stage.track(name) }
    stage.network = .up
    stage.script = [.status(status)]
    stage.call(.flush)
    #expect(stage.queueSize == 0)
    #expect(stage.sentEvents.suffix(2) == ["poison", "good"])
  }

  @Test func flushingNothingIsQuiet() {
    let stage = Stage()
    stage.initialize()
    let before = stage.requests.count
    #expect(stage.call(.flush)?.kind == nil)
    #expect(stage.requests.count == before)
  }

  @Test(arguments: ["}{", "[1]", "{}", "", "[{\"eventName\":5}]"])
  func aStoredQueueThatCannotBeReadIsNoQueue(_ text: String) {
    let stage = Stage()
    stage.initialize()
    stage.files[StoredFile.queue.rawValue] = Array(text.utf8)
    stage.restart(killed: true)
    #expect(stage.initialize()?.kind == nil)
    #expect(stage.queueSize == 0)
    #expect(stage.track("fresh")?.kind == nil)
  }

  @Test func eventsWithoutAnInstallWaitForOne() {
    let stage = Stage()
    stage.network = .refused
    stage.initialize()
    #expect(stage.track("homeless")?.kind == nil)
    #expect(stage.queueSize == 1)
    stage.restart(killed: true)
    stage.network = .up
    stage.initialize()
    #expect(stage.queueSize == 0)
    let install = try? stage.call(.installID)?.get()
    #expect(stage.bodies(of: "/event").first?["installId"] == install)
  }
}
