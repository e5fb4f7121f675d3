import JSONKit
import Testing

@testable import MobileEngage

/// The queue of requests: in order, one at a time, over restarts. The stage itself checks that two are never sent at
/// once.
@Suite struct QueueTests {
  @Test func callsAreSentInTheirOrder() {
    var stage = Stage()
    stage.setUp()
    stage.signIn("anna")
    stage.push("fcm:1")
    stage.track("one")
    stage.call { .clearPushToken(handle: $0) }
    stage.call { .trackDeepLink("1", handle: $0) }
    stage.signOut()
    #expect(stage.sent.count == 1, "the first is not answered")
    stage.accept()
    #expect(
      stage.trace == [
        "POST client", "POST contact?anonymous=true", "POST events app:start", "POST events session:start",
        "POST events session:end", "POST contact", "POST events session:start", "PUT push-token", "POST events one",
        "DELETE push-token", "POST ", "POST events session:end", "POST contact?anonymous=true",
        "POST events session:start",
      ])
  }

  /// A call that waits when the app is killed, and the request of the next launch, if there is one.
  static let waiting: [(call: EngageCall, request: String?)] = [
    (.setContact(ContactIdentity(fieldID: 2575, .value("anna")), handle: nil), "POST contact"),
    (.setContact(ContactIdentity(fieldID: 2575, .openID("a.b.c")), handle: nil), "POST contact"),
    (.track(name: "one", attributes: ["n": "1"], handle: nil), "POST events one"),
    (.setPushToken("fcm:1", handle: nil), "PUT push-token"), (.trackDeepLink("1", handle: nil), "POST "),
    (.fetchInbox(handle: nil), nil), (.fetchGeofences(handle: nil), nil),
  ]

  @Test(arguments: waiting)
  func whatWaitsOutlivesTheApp(_ call: EngageCall, _ request: String?) {
    var stage = Stage.started(isForeground: false)
    stage.surround(["online": false])
    stage.call { _ in call }
    let before = stage.sent.count
    stage.relaunch(isForeground: false)
    stage.accept()
    #expect(stage.trace(from: before) == [request, "POST events app:start"].compactMap { $0 })
  }

  @Test func whatWaitsIsSentAsItWasTracked() {
    var stage = Stage.started(isForeground: false)
    stage.surround(["online": false])
    stage.track("one", ["n": "1"])
    let queued = stage.stored.first?["event"]
    stage.relaunch(isForeground: false)
    stage.pass(3_600_000)
    #expect(queued?["attributes"] == ["n": "1"])
    #expect(stage.event("one") == queued)
  }

  @Test(arguments: [400, 404, 413])
  func aHeadThatFailsLosesNothingBehindIt(_ status: Int) {
    var stage = Stage.started(isForeground: false)
    let calls = (1...3).map { stage.track("e\($0)") }
    stage.answer(status)
    stage.accept()
    #expect(calls.map { stage.succeeded($0) } == [false, true, true])
    #expect(stage.reported.suffix(3) == ["e1", "e2", "e3"])
  }

  @Test func aHeadThatRestsIsNotOvertaken() {
    var stage = Stage.started(isForeground: false)
    stage.signIn("anna")
    stage.answer(503)
    let before = stage.sent.count
    stage.push("fcm:1")
    stage.accept()
    #expect(stage.trace(from: before) == ["POST contact", "PUT push-token"])
  }

  /// A request that needs a contact waits for one, and others pass it.
  @Test func withoutAContactLinksGoFirst() {
    var stage = Stage()
    stage.setUp()
    stage.acceptOne()
    stage.answer(400)
    #expect(stage.open.isEmpty)
    stage.track("early")
    stage.push("fcm:1")
    #expect(stage.open.isEmpty)
    stage.signIn("anna")
    stage.accept()
    #expect(stage.trace[2] == "POST contact")
    #expect(stage.reported.contains("early"))
    #expect(stage.sent.dropFirst(3).allSatisfy { $0.contactToken != nil })
  }

  @Test func manyEventsOfAnOfflineAppArriveInOrder() {
    var stage = Stage.started(isForeground: false)
    stage.surround(["online": false])
    let names = (1...500).map { "e\($0)" }
    for name in names { stage.track(name) }
    #expect(stage.reported.count == 1, "nothing is sent without a network")
    stage.surround(["online": true])
    stage.accept()
    #expect(stage.reported.dropFirst() == names[...])
    #expect(stage.stored.isEmpty)
    #expect((stage.files[.queue] ?? []).count < 4096, "what was sent does not pile up in the file")
  }

  /// A request that is added after a launch keeps its place behind the earlier ones, even in the next launch.
  @Test func theOrderOutlivesSeveralLaunches() {
    var stage = Stage.started(isForeground: false)
    stage.surround(["online": false])
    for name in ["e1", "e2"] { stage.track(name) }
    stage.relaunch(isForeground: false)
    stage.surround(["online": false])
    stage.track("e3")
    let before = stage.sent.count
    stage.relaunch(isForeground: false)
    stage.accept()
    #expect(stage.trace(from: before).contains("POST events e3"))
    #expect(stage.reported.filter { $0.hasPrefix("e") }.suffix(3) == ["e1", "e2", "e3"])
  }

  @Test(arguments: ["null", "{}", "[1]", #"[{"event":5}]"#, #"[{}]"#, #"[1,{"event":5}]"#, "[1,{}]"])
  func whatCannotBeReadIsNoQueue(_ text: String) throws {
    var stage = Stage(files: [.queue: text + "\n", .client: "\"odd\""])
    stage.setUp()
    stage.accept()
    #expect(stage.trace.first == "POST client")
    #expect(stage.reported == ["app:start", "session:start"])
  }
}
