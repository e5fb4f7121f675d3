import JSONKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

@Suite struct LaunchTests {
  @Test(arguments: [
    Stage.Network.refused, .status(500), .status(503), .status(400), .status(404), .bytes(Array("}{".utf8)),
    .bytes([]), .body([]), .body(["attributed": false]), .body(["installId": 5]),
  ])
  func aReportThatFailsMakesTheInstallOrganic(_ network: Stage.Network) throws {
    let stage = Stage()
    stage.script = [network]
    stage.call(.onDeferredDeepLink(handle: "early"))
    let report = try #require(try stage.initialize()?.get())
    #expect(report["installId"] == .null && report["attributed"] == false)
    #expect(stage.trace.filter { $0 == "callback early null" }.count == 1)
    #expect(stage.stored(.install) == nil)
    stage.restart(killed: true)
    let next = try #require(try stage.initialize()?.get())
    #expect(next["installId"]?.string != nil)
    #expect(stage.bodies(of: "/install").count == 2)
  }

  @Test func aServerThatHangsIsGivenUpAfterTenSeconds() {
    let stage = Stage()
    stage.network = .hanging
    #expect(stage.initialize() == nil)
    stage.advance(9_999)
    #expect(!stage.trace.contains { $0.hasPrefix("reply") })
    stage.advance(1)
    #expect(stage.trace.contains { $0.hasPrefix("reply success({\"installId\":null") })
  }

  @Test(arguments: ServerDialect.allCases)
  func laterLaunchesRememberWithoutAServer(_ dialect: ServerDialect) throws {
    let stage = Stage([], dialect: dialect)
    let first = try #require(try stage.initialize()?.get())
    stage.network = .refused
    for _ in 1...3 {
      stage.restart(killed: true)
      #expect(try stage.initialize()?.get() == first)
      #expect(try stage.call(.installID)?.get() == first["installId"])
      #expect(try stage.call(.isFirstLaunch)?.get() == false)
    }
    #expect(stage.bodies(of: "/install").count == 1)
  }

  @Test func theLegacyNamesOfCoreAreReadAsCanonicalOnes() throws {
    let stage = Stage()
    let install = try InstallResponse(JSONField(attributedInstall))
    stage.script = [.body(install.representation(in: .core121))]
    stage.initialize()
    let data = try #require(try stage.call(.installData)?.get())
    #expect(data["webUrl"] == "https://shop.example.com/product/123")
    #expect(data["customParameters"] == ["product": "123", "color": "dark blue"])
    #expect(data["webFallbackUrl"] == nil && data["confidenceScore"] == nil)
  }

  @Test func twoInitialisationsAtOnceReportOnce() {
    let stage = Stage()
    stage.network = .held
    stage.initialize()
    #expect(stage.initialize("http://localhost:9090")?.kind == .alreadyInitialized)
    stage.release()
    #expect(stage.requests.map(\.endpoint.port) == [8080])
    #expect(stage.track("e")?.kind == nil)
    #expect(stage.requests.last?.endpoint.port == 8080)
  }

  @Test func eachRegistrationIsCalledOncePerLaunch() {
    let stage = Stage()
    stage.network = .held
    stage.call(.onDeferredDeepLink(handle: "before"))
    stage.initialize()
    stage.call(.onDeferredDeepLink(handle: "during"))
    stage.release()
    stage.call(.onDeferredDeepLink(handle: "after"))
    for handle in ["before", "during", "after"] {
      #expect(stage.trace.filter { $0 == "callback \(handle) null" }.count == 1)
    }
  }

  @Test func clearingWhileTheReportIsUnderWayLeavesNothing() {
    let stage = Stage()
    stage.network = .held
    stage.initialize()
    stage.call(.clearData)
    stage.release()
    #expect((try? stage.call(.installID)?.get()) == .null)
    #expect(stage.files.isEmpty)
  }

  @Test func resetKeepsWhatIsStoredAndAllowsAnotherServer() throws {
    let stage = Stage()
    let first = try #require(try stage.initialize()?.get())
    stage.call(.setExternalUserID("user-42"))
    stage.call(.reset)
    #expect(try stage.call(.externalUserID)?.get() == .null)
    #expect(stage.track("e")?.kind == .notInitialized)
    #expect(try stage.initialize("http://localhost:9090")?.get() == first)
    stage.track("e")
    #expect(stage.requests.last?.endpoint.port == 9090)
    #expect(stage.bodies(of: "/install").count == 1)
  }

  @Test func clearedDataLeavesNoResidueAndTheNextLaunchIsAFirstOne() throws {
    let stage = Stage()
    stage.script = [.body(attributedInstall)]
    stage.initialize()
    stage.call(.setExternalUserID("user-42"))
    stage.network = .refused
    stage.track("secret-event")
    let before = stage.requests.count
    stage.call(.clearData)
    #expect(stage.requests.count == before && stage.files.isEmpty)
    for call: SDKCall in [.installID, .installData, .externalUserID] { #expect(try stage.call(call)?.get() == .null) }
    #expect(stage.queueSize == 0)
    stage.network = .up
    stage.restart()
    stage.initialize()
    #expect(try stage.call(.isFirstLaunch)?.get() == true)
    #expect(stage.bodies(of: "/install").count == 2)
  }

  @Test func theUserIDIsNeverStoredNorSentButWithLinks() {
    let stage = Stage()
    stage.call(.setExternalUserID("user-42"))
    stage.initialize(key: Seeds.apiKey)
    stage.track("e")
    stage.call(.handleURL("\(Stage.base)/abc123"))
    #expect(!stage.trace.contains { $0.contains("user-42") })
    stage.call(.createLink(CreateLinkOptions()))
    #expect(stage.bodies(of: "/links").last?["externalUserId"] == "user-42")
    stage.call(.createLink(CreateLinkOptions(["externalUserId": "other"])))
    #expect(stage.bodies(of: "/links").last?["externalUserId"] == "other")
    #expect(!stage.files.values.contains { String(decoding: $0, as: UTF8.self).contains("user-42") })
  }

  @Test func theKeyGoesIntoTheHeaderAndNowhereElse() {
    let stage = Stage()
    stage.initialize(key: Seeds.apiKey)
    stage.track("e")
    stage.call(.handleURL("\(Stage.base)/abc123"))
    stage.call(.createLink(CreateLinkOptions()))
    #expect(stage.requests.count == 4)
    for outgoing in stage.requests {
      #expect(outgoing.request.headers["Authorization"] == "Bearer \(Seeds.apiKey)")
      #expect(!outgoing.request.target.contains("lf_key"))
      #expect(!String(decoding: outgoing.request.body, as: UTF8.self).contains("lf_key"))
    }
  }
}
