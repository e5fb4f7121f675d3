import JSONKit

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

/// Short plays with the SDK that together exercise all its behaviour. A switch that changes no play has no effect.
enum Scenes {
  static let all: [(name: String, play: @Sendable (Stage) -> Void)] =
    [
      ("configuration", configuration), ("before initialisation", beforeInitialization), ("twice", initializedTwice),
      ("overlap", overlapping), ("organic spellings", organicSpellings), ("attributed", attributed),
      ("odd installs", oddInstalls), ("failed installs", failedInstalls), ("events", events), ("refusals", refusals),
      ("flush", flush), ("flush at once", flushAtOnce), ("restart", restart), ("month away", monthAway),
      ("corrupt", corrupt), ("links", deepLinks), ("createLink", createLink), ("data", data), ("debug", debug),
      ("clear in flight", clearInFlight), ("hanging", hanging), ("later", later),
      ("event contents", eventContents), ("event outcomes", eventOutcomes), ("event owners", eventOwners),
      ("revenue", revenue), ("link orders", linkOrders), ("link answers", linkAnswers),
    ] + deepLinkPlays + dataPlays + [
      // The longest play is last: most switches have shown an effect before it.
      ("capacity", capacity)
    ]

  /// The observable trace of a play with these switches on.
  static func trace(_ play: (Stage) -> Void, _ switches: Set<SDKSwitch>) -> [String] {
    let stage = Stage(switches)
    play(stage)
    return stage.trace
  }

  private static func configuration(_ stage: Stage) {
    let urls = [
      "", "http://links.invalid", "http://localhost.links.invalid", "http://localhost@links.invalid", "ftp://localhost",
      "not a url", "HTTP://LocalHost:8080", "http://localhost:8080/links/", "http://127.0.0.1:8080",
      "https://links.invalid", "http://localhost:8080/",
    ]
    for url in urls {
      stage.initialize(url)
      stage.call(.reset)
      stage.call(.clearData)
    }
    for window: JSON in [0, 1, 2160, 2161, -1, 1.5, "168", 24] {
      stage.initialize(window: window)
      stage.call(.reset)
      stage.call(.clearData)
    }
    stage.initialize(window: 0)
    stage.initialize()
  }

  private static func beforeInitialization(_ stage: Stage) {
    stage.track("early")
    stage.call(.trackRevenue(amount: "1", currency: "EUR", properties: nil))
    stage.call(.createLink(CreateLinkOptions()))
    stage.call(.handleURL("\(Stage.base)/abc123"))
    for call: SDKCall in [.flush, .clearQueue, .queueSize, .installID, .isFirstLaunch, .externalUserID] {
      stage.call(call)
    }
  }

  private static func initializedTwice(_ stage: Stage) {
    stage.initialize()
    stage.initialize("http://localhost:9090")
    stage.track("where")
  }

  private static func overlapping(_ stage: Stage) {
    stage.network = .held
    stage.initialize()
    stage.initialize()
    stage.track("meanwhile")
    stage.release()
  }

  private static func organicSpellings(_ stage: Stage) {
    let organic: JSON = ["installId": "a", "attributed": false, "confidenceScore": 0, "matchedFactors": []]
    let data: [JSON] = [.null, [:], Seeds.fullLink.data.representation]
    for answer in [organic] + data.map({ organic.setting($0, at: JSONPath([.key("deepLinkData")])) }) {
      stage.script = [.body(answer)]
      stage.call(.onDeferredDeepLink(handle: "early"))
      stage.initialize()
      stage.call(.onDeferredDeepLink(handle: "late"))
      stage.call(.installData)
      stage.call(.reset)
      stage.call(.clearData)
    }
  }

  private static func attributed(_ stage: Stage) {
    stage.script = [.body(attributedInstall)]
    stage.call(.setExternalUserID("user-42"))
    stage.call(.onDeferredDeepLink(handle: "early"))
    stage.initialize()
    stage.call(.onDeferredDeepLink(handle: "late"))
    for call: SDKCall in [.installID, .installData, .isFirstLaunch, .externalUserID] { stage.call(call) }
    stage.restart()
    stage.network = .refused
    stage.call(.onDeferredDeepLink(handle: "again"))
    stage.initialize()
    for call: SDKCall in [.installID, .installData, .isFirstLaunch, .externalUserID] { stage.call(call) }
  }

  private static func oddInstalls(_ stage: Stage) {
    let data = JSONPath([.key("deepLinkData")])
    let answers: [JSON] = [
      attributedInstall.setting(.null, at: data), attributedInstall.setting("ios", at: JSONPath([.key("isDeferred")])),
      attributedInstall.setting(.null, at: data.appending(key: "iosUrl")),
    ]
    for answer in answers {
      stage.script = [.body(answer)]
      stage.initialize()
      stage.call(.onDeferredDeepLink(handle: "link"))
      stage.call(.installID)
      stage.call(.reset)
      stage.call(.clearData)
    }
  }

  private static func failedInstalls(_ stage: Stage) {
    for network: Stage.Network in [.refused, .status(500), .status(404), .bytes(Array("}{".utf8))] {
      stage.script = [network]
      stage.call(.onDeferredDeepLink(handle: "link"))
      stage.initialize()
      stage.track("homeless")
      stage.call(.installID)
      stage.restart()
      stage.initialize()
      stage.call(.installID)
      stage.call(.queueSize)
      stage.call(.reset)
      stage.call(.clearData)
    }
  }

  private static func events(_ stage: Stage) {
    stage.call(
      .initialize(
        ConfigurationRequest(
          baseUrl: Stage.base, apiKey: "lf_key_0123456789abcdef", appToken: "at_1", deviceId: "D-1")))
    stage.advance(1234)
    stage.call(.setExternalUserID("user-42"))
    stage.track("plain")
    stage.track("typed", ["one": 1, "yes": true, "list": [1, .null], "text": "é"])
    stage.call(.trackRevenue(amount: "19.99", currency: "USD", properties: ["sku": "a", "currency": "x"]))
    stage.track(" ")
    stage.call(.trackRevenue(amount: "NaN", currency: "USD", properties: nil))
  }

  private static func refusals(_ stage: Stage) {
    stage.initialize()
    for status in [400, 404, 429, 500] {
      stage.network = .status(status)
      stage.track("s\(status)")
    }
    stage.network = .hanging
    stage.track("patient")
    stage.advance(10_000)
    stage.network = .refused
    stage.call(.trackRevenue(amount: "5", currency: "USD", properties: nil))
    stage.call(.queueSize)
  }

  private static func capacity(_ stage: Stage) {
    stage.initialize()
    stage.network = .refused
    for number in 1...98 { stage.track("e\(number)") }
    stage.restart(killed: true)
    stage.initialize()
    for number in 99...104 { stage.track("e\(number)", ["n": 1]) }
    stage.call(.queueSize)
    stage.network = .up
    stage.call(.flush)
  }

  private static func flush(_ stage: Stage) {
    stage.initialize()
    stage.call(.flush)
    stage.network = .refused
    for number in 1...4 { stage.track("e\(number)") }
    stage.advance(1000)
    stage.script = [.up, .refused]
    stage.call(.flush)
    stage.call(.queueSize)
    stage.network = .up
    stage.script = [.status(404)]
    stage.call(.flush)
    stage.call(.flush)
    stage.network = .refused
    stage.track("e5")
    stage.call(.clearQueue)
    stage.restart(killed: true)
    stage.initialize()
    stage.call(.queueSize)
  }

  private static func flushAtOnce(_ stage: Stage) {
    stage.initialize()
    stage.network = .refused
    for number in 1...3 { stage.track("e\(number)") }
    stage.network = .held
    stage.call(.flush)
    stage.call(.flush)
    stage.release()
  }

  private static func restart(_ stage: Stage) {
    stage.initialize()
    stage.network = .refused
    stage.track("kept", ["x": 1])
    stage.restart(killed: true)
    stage.initialize()
    stage.call(.queueSize)
    stage.network = .up
    stage.restart()
    stage.initialize()
  }

  private static func monthAway(_ stage: Stage) {
    stage.script = [.body(attributedInstall)]
    stage.initialize()
    stage.network = .refused
    stage.track("kept")
    stage.restart(after: 30 * 86_400_000)
    stage.initialize()
    stage.call(.queueSize)
    stage.call(.installData)
  }

  private static func later(_ stage: Stage) {
    stage.initialize()
    stage.network = .refused
    stage.track("first")
    stage.network = .up
    stage.advance(31_000)
    stage.network = .refused
    stage.track("second")
    stage.network = .up
    stage.track("third")
  }

  private static func corrupt(_ stage: Stage) {
    for file in [StoredFile.queue, .install] {
      stage.initialize()
      stage.network = .refused
      stage.track("kept")
      stage.files[file.rawValue] = Array("}{".utf8)
      stage.restart(killed: true)
      stage.initialize()
      stage.network = .up
      stage.call(.reset)
      stage.call(.clearData)
    }
  }

  private static func deepLinks(_ stage: Stage) {
    stage.initialize()
    for handle in ["one", "two"] { stage.call(.onDeepLink(handle: handle)) }
    let tail = "?utm_source=a%20b&x=%E2%9C%93&y=1"
    let urls = [
      "\(Stage.base)/summer/abc123\(tail)", "\(Stage.base)/nothere\(tail)", "\(Stage.base)/", "myapp://product/123?x=1",
      "http://localhost.evil.example:8080/abc123", "http://other.example/abc123", "\(Stage.base)/a%2Fb",
    ]
    for url in urls { stage.call(.handleURL(url)) }
    for network: Stage.Network in [.refused, .body([:]), .body(["shortCode": "z", "customParameters": ["n": 5]])] {
      stage.script = [network]
      stage.call(.handleURL("\(Stage.base)/abc123\(tail)"))
    }
  }

  private static func createLink(_ stage: Stage) {
    stage.initialize()
    stage.call(.createLink(CreateLinkOptions()))
    stage.call(.reset)
    stage.initialize(key: "lf_key_0123456789abcdef")
    stage.call(.setExternalUserID("user-42"))
    stage.call(.createLink(CreateLinkOptions(["title": "Blue"])))
    stage.call(.createLink(CreateLinkOptions(["title": "Blue", "externalUserId": "user-7"])))
    stage.call(.createLink(CreateLinkOptions(["templateId": .string(Seeds.templateId), "templateSlug": "summer"])))
    for network: Stage.Network in [.body([:]), .status(409), .refused] {
      stage.script = [network]
      stage.call(.createLink(CreateLinkOptions()))
    }
  }

  private static func data(_ stage: Stage) {
    stage.initialize()
    stage.call(.setExternalUserID("user-42"))
    stage.network = .refused
    stage.track("kept")
    stage.call(.reset)
    for call: SDKCall in [.installID, .externalUserID] { stage.call(call) }
    stage.initialize()
    stage.call(.setExternalUserID("user-42"))
    stage.call(.clearData)
    for call: SDKCall in [.installID, .installData, .queueSize, .externalUserID, .isFirstLaunch] { stage.call(call) }
    stage.restart(killed: true)
    stage.network = .up
    stage.initialize()
    for call: SDKCall in [.installID, .queueSize, .isFirstLaunch] { stage.call(call) }
  }

  private static func debug(_ stage: Stage) {
    stage.call(.initialize(ConfigurationRequest(baseUrl: Stage.base, apiKey: "lf_key_0123456789abcdef", debug: true)))
    stage.sdk.machine.device.screenWidth = 411.43
    stage.sdk.machine.device.scale = 2.625
    stage.call(.clearData)
    stage.call(.reset)
    stage.initialize()
  }

  private static func clearInFlight(_ stage: Stage) {
    stage.network = .held
    stage.call(.onDeferredDeepLink(handle: "link"))
    stage.initialize()
    stage.call(.clearData)
    stage.release()
    stage.call(.installID)
    stage.network = .held
    stage.track("sent")
    stage.call(.reset)
    stage.release()
  }

  private static func hanging(_ stage: Stage) {
    stage.network = .hanging
    stage.call(.onDeepLink(handle: "link"))
    stage.initialize()
    stage.call(.handleURL("\(Stage.base)/abc123"))
    stage.advance(40_000)
  }
}
