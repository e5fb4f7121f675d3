import JSONKit
import Testing

@testable import MobileEngage

/// The events of an app and of the SDK, and their sessions.
@Suite struct EventTests {
  @Test func anEventTellsTheInstantOfItsTracking() {
    var stage = Stage.started(isForeground: false)
    stage.pass(1234)
    stage.surround(["online": false])
    stage.track("one")
    stage.pass(60_000)
    stage.surround(["online": true])
    #expect(stage.event("one") == ["type": "custom", "name": "one", "timestamp": "2026-03-01T00:00:01.234Z"])
  }

  @Test(arguments: ["session:start", "app:start", "Größe 🛒", "a\"b\\c"])
  func anEventOfTheAppIsCustomWhateverItIsCalled(_ name: String) {
    var stage = Stage.started(isForeground: false)
    stage.track(name)
    #expect(stage.event(name)?["type"] == "custom")
  }

  @Test func anEventHasAName() {
    var stage = Stage.started()
    let before = stage.sent.count
    let call = stage.track("")
    #expect(stage.sent.count == before)
    #expect(stage.outcomes(call).map { $0["error"]?["kind"] } == ["rejected"])
  }

  @Test(arguments: [true, false])
  func reportsSayWhetherMessagesArePaused(_ isPaused: Bool) {
    var stage = Stage.started(isForeground: false)
    stage.call { _ in .pauseMessages(true) }
    stage.call { _ in .pauseMessages(isPaused) }
    stage.track("one")
    #expect(stage.last?.json?["dnd"] == (isPaused ? true : nil))
    #expect(stage.last?.json?["clicks"] == [])
    #expect(stage.last?.json?["viewedMessages"] == [])
  }

  @Test func aStayInTheForegroundIsASession() throws {
    var stage = Stage.started()
    let first = try #require(stage.event("session:start")?["sessionId"]?.string)
    stage.track("inside")
    stage.pass(2500)
    stage.surround(["foreground": false])
    stage.track("outside")
    stage.surround(["foreground": true])
    stage.accept()
    #expect(stage.event("inside")?["sessionId"]?.string == first)
    #expect(stage.event("session:end")?["sessionId"]?.string == first)
    #expect(stage.event("session:end")?["attributes"] == ["duration": "2500"])
    #expect(stage.event("outside")?["sessionId"] == nil)
    #expect(try #require(stage.event("session:start")?["sessionId"]?.string) != first)
    #expect(stage.reported.filter { $0 == "app:start" }.count == 1, "the process has started once")
  }

  @Test(arguments: [true, false])
  func nothingEndsThatDidNotBegin(_ isForeground: Bool) {
    var stage = Stage.started(isForeground: isForeground)
    stage.surround(["foreground": .bool(isForeground)])
    stage.signIn("anna")
    stage.accept()
    stage.signIn("anna")
    stage.accept()
    let own = stage.reported.filter { $0.hasPrefix("session:") }
    #expect(own == (isForeground ? ["session:start", "session:end", "session:start"] : []))
  }

  /// The session of the old contact ends under its token, and that of the new one begins under the other.
  @Test(arguments: [true, false])
  func aSessionBelongsToOneContact(_ signsIn: Bool) throws {
    var stage = Stage.started()
    stage.signIn("anna")
    stage.accept()
    let before = stage.sent.count
    if signsIn { stage.signIn("ben") } else { stage.signOut() }
    stage.accept()
    let sent = stage.sent.dropFirst(before)
    #expect(
      stage.trace(from: before) == [
        "POST events session:end", signsIn ? "POST contact" : "POST contact?anonymous=true",
        "POST events session:start",
      ])
    #expect(sent.first?.contactToken != nil)
    #expect(sent.last?.contactToken != nil)
    #expect(sent.first?.contactToken != sent.last?.contactToken)
  }

  @Test(arguments: EventsVersion.allCases)
  func theVersionIsThePath(_ version: EventsVersion) {
    var stage = Stage.started(events: version)
    stage.push("fcm:1")
    #expect(stage.sent.dropFirst(2).first?.path == "/\(version.rawValue)/apps/\(Stage.code)/client/events")
    #expect(stage.last?.path == "/v3/apps/\(Stage.code)/client/push-token", "the rest is of v3")
  }

  @Test(arguments: EventsVersion.allCases)
  func theStateOfTheDevicesEventsGoesBackAsItCame(_ version: EventsVersion) throws {
    var stage = Stage.started(events: version, isForeground: false)
    let state = try JSON(parsing: #"{"b":1.50,"a":[null,9007199254740993,"é"],"":{}}"#)
    stage.track("one")
    stage.answer(200, ["deviceEventState": state])
    stage.track("two")
    let expected = version == .v4 ? state : nil
    #expect(stage.last?.json?["deviceEventState"] == expected)
    stage.answer(204)
    stage.relaunch(isForeground: false)
    #expect(stage.last?.json?["deviceEventState"] == expected, "no other answer and no restart changes it")
    stage.answer(200, ["deviceEventState": ["n": 2]])
    stage.track("three")
    #expect(stage.last?.json?["deviceEventState"] == (version == .v4 ? ["n": 2] : nil))
  }

  @Test(arguments: [#"{"deviceEventState":null}"#, #"{"deviceEventState":"text"}"#, "[]", "not json", "{}"])
  func anAnswerWithoutAStateLeavesTheLast(_ body: String) {
    var stage = Stage.started(events: .v4, isForeground: false)
    stage.track("one")
    stage.answer(200, ["deviceEventState": ["n": 1]])
    stage.track("two")
    stage.answer(text: body)
    stage.track("three")
    #expect(stage.last?.json?["deviceEventState"] == ["n": 1])
  }
}
