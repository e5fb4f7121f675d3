@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

// Users, stored data, clearing, resetting, and what every request has in common.
extension Scenes {
  static let dataPlays: [(name: String, play: @Sendable (Stage) -> Void)] = [
    ("users", users), ("early user", earlyUser), ("user of a later launch", userOfLaterLaunch),
    ("stored data", storedData), ("cleared", cleared), ("cleared under way", clearedUnderWay),
    ("cleared early", clearedEarly), ("reset", resetAndMoved), ("reset offline", resetOffline), ("text", text),
    ("later key", laterKey), ("crashes", crashes),
  ]

  private static let key = "lf_key_0123456789abcdef"
  private static let link = SDKCall.createLink(CreateLinkOptions(["templateId": .string(Seeds.templateId)]))

  private static func users(_ stage: Stage) {
    stage.call(.initialize(ConfigurationRequest(baseUrl: Stage.base, apiKey: key, debug: true)))
    for user: String? in ["user-42", " spaced", "", String(repeating: "u", count: 300), nil] {
      stage.call(.setExternalUserID(user))
      stage.call(.externalUserID)
      stage.call(link)
    }
    stage.call(.createLink(CreateLinkOptions(["externalUserId": "user-7"])))
    stage.call(.externalUserID)
  }

  private static func earlyUser(_ stage: Stage) {
    stage.call(.setExternalUserID("user-42"))
    stage.initialize(key: key)
    stage.call(.externalUserID)
    stage.track("named")
    stage.call(.handleURL("\(Stage.base)/abc123"))
  }

  private static func userOfLaterLaunch(_ stage: Stage) {
    stage.initialize(key: key)
    stage.call(.setExternalUserID("user-42"))
    stage.restart()
    stage.initialize(key: key)
    stage.call(.externalUserID)
  }

  private static func storedData(_ stage: Stage) {
    let reads: [SDKCall] = [.installID, .installData, .isFirstLaunch]
    for call in reads { stage.call(call) }
    for network: Stage.Network in [.refused, .up, .body(attributedInstall)] {
      stage.script = [network]
      stage.initialize()
      for call in reads { stage.call(call) }
      stage.restart(killed: true)
      stage.initialize()
      for call in reads { stage.call(call) }
      stage.call(.reset)
      stage.call(.clearData)
    }
  }

  private static func cleared(_ stage: Stage) {
    stage.script = [.body(attributedInstall)]
    stage.call(.onDeepLink(handle: "link"))
    stage.initialize(key: key)
    stage.network = .refused
    stage.track("queued")
    for _ in 1...2 { stage.call(.clearData) }
    for call: SDKCall in [.installID, .installData, .queueSize, .externalUserID] { stage.call(call) }
    stage.track("homeless")
    stage.call(.handleURL("myapp://product/123"))
    stage.network = .up
    stage.restart(killed: true)
    stage.initialize(key: key)
    for call: SDKCall in [.installID, .installData, .queueSize, .isFirstLaunch] { stage.call(call) }
  }

  private static func clearedUnderWay(_ stage: Stage) {
    stage.initialize()
    stage.network = .hanging
    stage.track("sent")
    stage.call(.clearData)
    stage.advance(10_000)
    stage.call(.queueSize)
  }

  private static func clearedEarly(_ stage: Stage) {
    stage.initialize()
    stage.restart()
    stage.call(.clearData)
    stage.restart()
    stage.initialize()
  }

  private static func resetAndMoved(_ stage: Stage) {
    stage.call(.onDeepLink(handle: "old"))
    stage.initialize(key: key)
    stage.call(.reset)
    stage.track("between")
    stage.call(.platformURL("myapp://product/7"))
    stage.initialize("http://localhost:9090")
    stage.call(.onDeepLink(handle: "new"))
    stage.call(.handleURL("myapp://product/123"))
    stage.call(link)
    stage.track("moved")
    stage.restart(killed: true)
    stage.initialize()
    stage.call(.installID)
  }

  private static func resetOffline(_ stage: Stage) {
    stage.initialize()
    stage.network = .refused
    stage.track("waiting")
    stage.call(.reset)
    stage.network = .up
    stage.advance(61_000)
    stage.initialize()
  }

  private static func text(_ stage: Stage) {
    stage.initialize(key: key)
    stage.track("opened", ["text": "Zoë 日本語 🙂"])
    stage.call(.createLink(CreateLinkOptions(["title": "größer"])))
  }

  private static func laterKey(_ stage: Stage) {
    stage.initialize(key: key)
    stage.restart(killed: true)
    stage.initialize()
    stage.track("keyless")
  }

  private static func crashes(_ stage: Stage) {
    stage.initialize()
    stage.call(.handleURL("not a url"))
    stage.script = [.body([]), .refused]
    for name in ["odd", "lost"] { stage.track(name) }
  }
}
