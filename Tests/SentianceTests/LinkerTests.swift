import JSONKit
import Testing

@testable import Sentiance

/// The reports that a linker may give, and their times.
@Suite struct LinkerTests {
  private func asked(_ linker: Linker = .async) -> (stage: Stage, call: Int) {
    var stage = DeviceState.none.stage
    let call = stage.call(.createUser(.credentials(linker)))
    stage.answer(200, Answers.created(nil, linked: false, active: false))
    return (stage, call)
  }

  @Test(arguments: Linker.allCases)
  func onlyALinkerThatLinksIsAsked(_ linker: Linker) throws {
    var stage = DeviceState.none.stage
    stage.call(.createUser(.credentials(linker)))
    #expect(try JSON(parsing: stage.sent[0].body)["linking"] == .bool(linker != .noOp))
    stage.answer(200, Answers.created(linker == .noOp ? "user-1" : nil, linked: false))
    #expect(stage.count("linker") == (linker == .noOp ? 0 : 1))
  }

  @Test func theLinkerGetsTheInstallInTheBackground() {
    let (stage, _) = asked()
    #expect(stage.last("linker")?["installId"] == "install-1")
    #expect(stage.last("linker")?["thread"] == "background")
    // Nothing is confirmed before it has reported.
    #expect(stage.open.isEmpty)
  }

  static let failures: [LinkerReport] =
    [.threw] + [false, .null, 1, "true", "success", "", [true], ["linked": true]].map { .returned($0) }

  @Test(arguments: failures)
  func nothingButTrueIsSuccess(_ report: LinkerReport) {
    var (stage, call) = asked()
    stage.call(.reportLinker(call: stage.linkerCall, report))
    #expect(stage.reason(call) == .appSideLinkingFailed)
    #expect(stage.sent.count == 1)
  }

  @Test func successIsConfirmed() {
    var (stage, call) = asked()
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    #expect(stage.open.last?.request.target == "/sdk/person")
    #expect(stage.open.last?.request.headers["Authorization"] == "Bearer ut-1")
    stage.answer(200, Answers.person())
    #expect(stage.value(call)?["userId"] == "user-1")
    #expect(stage.ask(.isUserLinked) == true)
    #expect(stage.last("completion")?["thread"] == "main")
  }

  @Test func aLinkThatThePlatformDoesNotKnowIsNone() {
    var (stage, call) = asked()
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    stage.answer(200, Answers.person(linked: false))
    #expect(stage.reason(call) == .appSideLinkingFailed)
    #expect(stage.ask(.userExists) == false)
  }

  @Test(arguments: [LinkerReport.returned(true), .returned(false), .threw])
  func theFirstReportCounts(_ second: LinkerReport) {
    var (stage, call) = asked()
    let name = stage.linkerCall
    stage.call(.reportLinker(call: name, .returned(true)))
    stage.call(.reportLinker(call: name, second))
    #expect(stage.open.count == 1)
    stage.answer(200, Answers.person())
    stage.call(.reportLinker(call: name, second))
    #expect(stage.value(call)?["userId"] == "user-1")
    #expect(stage.count("completion") == 1)
  }

  @Test(arguments: [(Set<SentianceSwitch>(), 60_000), (Set([.variantShortLinker]), 30_000)])
  func silenceIsFailure(_ switches: Set<SentianceSwitch>, _ patience: Int) {
    var stage = Stage(switches: switches)
    stage.begin()
    let call = stage.call(.createUser(.credentials(.async)))
    stage.answer(200, Answers.created(nil, linked: false, active: false))
    stage.pass(patience - 1)
    #expect(stage.reason(call) == nil)
    stage.pass(1)
    #expect(stage.reason(call) == .appSideLinkingFailed)
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    #expect(stage.open.isEmpty)
  }

  /// A link keeps the user; a platform that speaks of another one is not believed.
  @Test(arguments: ["user-1", "user-2"])
  func aLateLinkKeepsTheUser(_ named: String) {
    var stage = DeviceState.linking.stage
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    stage.answer(200, Answers.person(named))
    #expect(stage.ask(.userID) == "user-1")
    #expect(stage.ask(.isUserLinked) == .bool(named == "user-1"))
    #expect(stage.last("completion")?["error"]?["reason"]?.string == (named == "user-1" ? nil : "SERVER_ERROR"))
  }

  /// An app for which linking is off has users without a link; once it is on, the next start links.
  @Test func linkingIsSwitchedOnLater() {
    var stage = Stage()
    stage.call(.observeLinkers(handle: "linker"))
    let first = stage.call(.initializeWithUser(.credentials(.sync)))
    stage.refuse(403, "USERLINKING_NOT_CONFIGURED")
    stage.answer(200, Answers.created(linked: false))
    #expect(stage.value(first) == .null)
    #expect(stage.count("linker") == 0)
    stage.relaunch()
    stage.call(.observeLinkers(handle: "linker"))
    let second = stage.call(.initializeWithUser(.credentials(.sync)))
    stage.answer(200, Answers.configuration(linked: false))
    stage.call(.reportLinker(call: stage.linkerCall, .returned(true)))
    stage.answer(200, Answers.person())
    #expect(stage.value(second) == .null)
    #expect(stage.ask(.isUserLinked) == true)
  }

  @Test func otherCredentialsKeepTheUser() {
    var stage = Stage()
    stage.call(.initializeWithUser(.credentials(nil)))
    stage.answer(200, Answers.created(linked: false))
    stage.relaunch()
    var other = UserCreationOptions.credentials(nil)
    other.secret = "secret-2"
    #expect(stage.refusal(of: .initializeWithUser(other)) == .changedCredentials)
    #expect(stage.ask(.userID) == "user-1")
  }
}
