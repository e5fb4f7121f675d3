import JSONKit
import Testing

@testable import MobileEngage

/// The contact that the client is linked to.
@Suite struct ContactTests {
  private static let anonymous = "POST contact?anonymous=true"

  static let identities: [(who: ContactIdentity, body: JSON)] = [
    (
      ContactIdentity(fieldID: 2575, .value("anna@example.com")),
      ["contactFieldId": 2575, "contactFieldValue": "anna@example.com"]
    ),
    (ContactIdentity(fieldID: 1, .value("007")), ["contactFieldId": 1, "contactFieldValue": "007"]),
    (ContactIdentity(fieldID: 2575, .openID("a.b.c")), ["contactFieldId": 2575, "openIdToken": "a.b.c"]),
  ]

  @Test(arguments: identities)
  func aSignInSaysWho(_ identity: ContactIdentity, _ body: JSON) throws {
    var stage = Stage.started(isForeground: false)
    let call = stage.call { .setContact(identity, handle: $0) }
    #expect(stage.trace.last == "POST contact")
    #expect(stage.last?.json == body)
    #expect(stage.last?.contactToken == nil, "no token goes with a link")
    #expect(stage.succeeded(call) == nil)
    stage.answer(200, ["contactToken": "ct-anna", "refreshToken": "rt-anna"])
    #expect(stage.outcomes(call) == [["ok": true]])
    stage.track("under-anna")
    #expect(stage.last?.contactToken == "ct-anna")
    stage.answer(401)
    #expect(stage.last?.json == ["refreshToken": "rt-anna"])
  }

  @Test(arguments: [
    ContactIdentity(fieldID: 0, .value("anna")), ContactIdentity(fieldID: -1, .value("anna")),
    ContactIdentity(fieldID: 2575, .value("")), ContactIdentity(fieldID: 2575, .openID("")),
  ])
  func whoIdentifiesNobodyIsRefused(_ identity: ContactIdentity) {
    var stage = Stage.started()
    let before = stage.sent.count
    let call = stage.call { .setContact(identity, handle: $0) }
    #expect(stage.sent.count == before)
    #expect(stage.outcomes(call).map { $0["error"]?["kind"] } == ["rejected"])
  }

  @Test(arguments: [400, 401, 402, 403, 404, 422])
  func aRefusedSignInLeavesWhoWasThere(_ status: Int) {
    var stage = Stage.started(isForeground: false)
    let call = stage.signIn("anna")
    stage.answer(status)
    #expect(stage.outcomes(call).map { $0["error"]?["status"] } == [.int(status)])
    stage.track("still-anonymous")
    #expect(stage.last?.contactToken == "ct-2")
  }

  @Test(arguments: [
    "", "{}", "[]", "not json", #"{"contactToken":5}"#, #"{"contactToken":""}"#, #"{"contactToken":null}"#,
  ])
  func aLinkWithoutATokenLinksNobody(_ body: String) {
    var stage = Stage.started(isForeground: false)
    let call = stage.signIn("anna")
    stage.answer(text: body)
    #expect(stage.succeeded(call) == false)
    stage.track("still-anonymous")
    #expect(stage.last?.contactToken == "ct-2")
    stage.relaunch(isForeground: false)
    #expect(!stage.trace.dropFirst(2).contains(Self.anonymous))
  }

  @Test func aSignInBeforeTheAnonymousAnswerWins() {
    var stage = Stage()
    stage.setUp()
    stage.signIn("anna")
    stage.accept()
    #expect(stage.trace.filter { $0.contains("contact") } == [Self.anonymous, "POST contact"])
    let answers = (stage.trace.firstIndex(of: "POST contact") ?? -1) + 1
    stage.track("whose")
    #expect(stage.last?.contactToken == "ct-\(answers)")
  }

  @Test(arguments: [true, false])
  func nobodyIsLinkedAnonymouslyOverAContact(_ isAnswered: Bool) {
    var stage = Stage.started()
    stage.signIn("anna")
    if isAnswered { stage.accept() }
    let before = stage.sent.count
    stage.relaunch()
    stage.accept()
    #expect(!stage.trace(from: before).contains(Self.anonymous))
    #expect(stage.trace(from: before).contains("POST contact") == !isAnswered)
  }

  @Test func withoutAnonymousContactsEventsWaitForASignIn() {
    var stage = Stage()
    stage.setUp(acceptsAnonymous: false)
    stage.accept()
    #expect(stage.trace == ["POST client"])
    stage.signIn("anna")
    stage.accept()
    #expect(!stage.trace.contains(Self.anonymous))
    #expect(stage.reported.starts(with: ["app:start", "session:start"]))
  }

  @Test func aSignOutLinksAnonymouslyOnce() {
    var stage = Stage.started(isForeground: false)
    stage.signIn("anna")
    stage.accept()
    let first = stage.signOut()
    #expect(stage.trace.last == Self.anonymous)
    stage.answer(200, ["contactToken": "ct-nobody", "refreshToken": "rt-nobody"])
    let before = stage.sent.count
    let second = stage.signOut()
    #expect(stage.sent.count == before, "nobody is signed in any more")
    #expect([first, second].map { stage.outcomes($0) } == [[["ok": true]], [["ok": true]]])
    stage.track("under-nobody")
    #expect(stage.last?.contactToken == "ct-nobody")
  }

  /// After a sign-out the old contact is not used again, whatever the server answers.
  @Test(arguments: [400, 403, 500])
  func aSignOutThatFailsIsMadeAtTheNextStart(_ status: Int) {
    var stage = Stage.started(isForeground: false)
    stage.signIn("anna")
    stage.accept()
    stage.signOut()
    stage.answer(status)
    let before = stage.sent.count
    stage.track("after")
    stage.relaunch(isForeground: false)
    stage.accept()
    let links = stage.trace(from: before).filter { $0.contains("contact") }
    #expect(links.last == Self.anonymous)
    #expect(!links.contains("POST contact"))
    #expect(stage.reported.contains("after"))
  }

  @Test func aSignOutForgetsThePushToken() {
    var stage = Stage.started(isForeground: false)
    stage.signIn("anna")
    stage.push("fcm:1")
    stage.accept()
    let before = stage.sent.count
    stage.push("fcm:1")
    #expect(stage.sent.count == before, "it is registered")
    stage.signOut()
    stage.push("fcm:1")
    stage.accept()
    #expect(stage.trace(from: before) == [Self.anonymous, "PUT push-token"])
  }
}
