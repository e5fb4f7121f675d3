import JSONKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

/// Features 8 to 10: who the user is, what the app can read, what is forgotten when.
@Suite struct DataManagementTests {
  private static let key = "lf_key_0123456789abcdef"
  private static let link = SDKCall.createLink(CreateLinkOptions(["templateId": .string(Seeds.templateId)]))

  private func result(_ outcome: Result<JSON, SDKError>?) -> JSON? { try? outcome?.get() }

  /// A stage on which an attributed install was reported, with a user and an event that waits.
  private func used(_ switches: Set<SDKSwitch> = []) -> Stage {
    let stage = Stage(switches)
    stage.script = [.body(attributedInstall)]
    stage.call(.setExternalUserID("user-42"))
    stage.initialize(key: Self.key)
    stage.networks["/event"] = .refused
    stage.track("waiting")
    return stage
  }

  @Test(arguments: ["user-42", "42", "Ann.Lee@example.com", "Zoë 日本語 🙂", String(repeating: "u", count: 1024)])
  func anyTextIsAUser(_ user: String) {
    let stage = Stage()
    stage.call(.setExternalUserID(user))
    stage.initialize(key: Self.key)
    stage.call(Self.link)
    #expect(result(stage.call(.externalUserID)) == .string(user))
    #expect(stage.bodies(of: "/links").map { $0["externalUserId"] } == [.string(user)])
  }

  @Test func nullClearsTheUserForAppAndLinks() {
    let stage = Stage()
    stage.initialize(key: Self.key)
    stage.call(.setExternalUserID("user-42"))
    stage.call(.setExternalUserID(nil))
    stage.call(Self.link)
    #expect(result(stage.call(.externalUserID)) == .null)
    #expect(stage.bodies(of: "/links").map { $0["externalUserId"] } == [nil])
  }

  @Test func onlyOrdersOfLinksNameTheUser() {
    let stage = used()
    stage.call(.handleURL("\(Stage.base)/abc123"))
    stage.call(Self.link)
    let naming = stage.requests.map(\.request).filter { request in
      "\(request.target) \(request.headers) \(String(decoding: request.body, as: UTF8.self))".contains("user-42")
    }
    #expect(naming.map(\.path) == ["/api/links"])
    #expect(stage.files.values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("user-42") })
  }

  @Test(arguments: [SDKCall.clearData, .reset])
  func clearingAndResettingForgetTheUser(_ call: SDKCall) {
    let stage = used()
    stage.call(call)
    #expect(result(stage.call(.externalUserID)) == .null)
  }

  @Test func clearingLeavesNoFileAndNothingToRead() {
    let stage = used()
    stage.call(.clearData)
    #expect(stage.files.isEmpty)
    for call: SDKCall in [.installID, .installData] { #expect(result(stage.call(call)) == .null) }
    #expect(stage.queueSize == 0)
    #expect(stage.timerCount == 0)
  }

  @Test func clearingSendsNothing() {
    let stage = used()
    let count = stage.requests.count
    stage.call(.clearData)
    #expect(stage.requests.count == count)
  }

  @Test func theLaunchAfterClearingReportsAnotherInstall() {
    let stage = used()
    let former = result(stage.call(.installID))
    stage.call(.clearData)
    stage.restart(killed: true)
    stage.initialize()
    #expect(stage.bodies(of: "/install").count == 2)
    #expect(result(stage.call(.installID)) != former)
    #expect(result(stage.call(.installData)) == .null)
  }

  @Test func whatIsUnderWayDoesNotComeBack() {
    let stage = Stage()
    stage.network = .held
    stage.initialize()
    stage.call(.clearData)
    stage.release()
    #expect(result(stage.call(.installID)) == .null)
    #expect(stage.stored(.install) == nil)
  }

  @Test func resettingKeepsInstallAndQueueAndSendsNothing() {
    let stage = used()
    let former = result(stage.call(.installID))
    let files = stage.files
    let count = stage.requests.count
    stage.call(.reset)
    stage.advance(120_000)
    #expect(stage.track("between")?.kind == .notInitialized)
    #expect(stage.requests.count == count)
    #expect(stage.files == files)
    stage.initialize("http://localhost:9090")
    #expect(result(stage.call(.installID)) == former)
    #expect(stage.queueSize == 1)
    let later = stage.requests.dropFirst(count)
    #expect(later.allSatisfy { $0.endpoint.port == 9090 && $0.request.headers["Authorization"] == nil })
  }

  /// The outcome of a call distinguishes the legal variants.
  @Test func variantsOfClearing() {
    #expect(Stage([.variantClearNeedsInit]).call(.clearData)?.kind == .notInitialized)
    #expect(Stage().call(.clearData)?.kind == nil)
  }
}
