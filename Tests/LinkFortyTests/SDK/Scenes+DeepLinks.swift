import JSONKit

@testable import LinkFortyCore

// Plays with links that open the app.
extension Scenes {
  static let deepLinkPlays: [(name: String, play: @Sendable (Stage) -> Void)] = [
    ("reading links", readingLinks), ("links below a path", linksBelowAPath), ("early links", earlyLinks),
    ("links at once", linksAtOnce), ("links that fail", failingLinks), ("answers about links", answersAboutLinks),
    ("a server that hangs", hangingLinks),
  ]

  private static func listen(_ stage: Stage, base: String = Stage.base) {
    stage.initialize(base)
    for handle in ["one", "two"] { stage.call(.onDeepLink(handle: handle)) }
  }

  private static func readingLinks(_ stage: Stage) {
    stage.sdk.machine.device.platformVersion = "17 beta & more"
    listen(stage)
    let tails = [
      "/Summer/NotHere?utm_source=a&utm_term=b&n%C3%A4me=1&x=a%20b", "/nothere/", "/nothere?x=%E0%A4%A",
      "/nothere?x=1#y=2", "/", "?x=1",
    ]
    for tail in tails { stage.call(.handleURL(Stage.base + tail)) }
    for url in ["myapp://product/123?x=1", "https://links.invalid/abc"] { stage.call(.handleURL(url)) }
    stage.call(.platformURL("\(Stage.base)/bare01"))
  }

  private static func linksBelowAPath(_ stage: Stage) {
    listen(stage, base: Stage.base + "/p")
    for tail in ["/p/abc123", "/abc123", "/px/abc123", "/p"] { stage.call(.handleURL(Stage.base + tail)) }
  }

  private static func earlyLinks(_ stage: Stage) {
    stage.call(.platformURL("\(Stage.base)/abc123"))
    stage.initialize()
    for code in ["abc123", "bare01"] { stage.call(.handleURL("\(Stage.base)/\(code)")) }
    stage.call(.onDeepLink(handle: "late"))
  }

  private static func linksAtOnce(_ stage: Stage) {
    listen(stage)
    stage.network = .held
    for code in ["abc123", "bare01", "nothere"] { stage.call(.handleURL("\(Stage.base)/\(code)?x=1")) }
    stage.release()
  }

  private static func failingLinks(_ stage: Stage) {
    listen(stage)
    let networks: [Stage.Network] = [
      .refused, .status(404), .status(500), .refusal(404, ["shortCode": "x"]), .bytes(Array("<html>".utf8)), .body([:]),
    ]
    for network in networks {
      stage.network = network
      stage.call(.handleURL("\(Stage.base)/abc123?x=1"))
      stage.advance(10_000)
    }
  }

  private static func answersAboutLinks(_ stage: Stage) {
    listen(stage)
    let path = JSONPath([.key("deepLinkPath")])
    let full = Seeds.fullLink.data.representation
    let answers: [JSON] = [
      full, full.setting(.null, at: path), full.setting(["n": 5], at: JSONPath([.key("customParameters")])),
      full.setting("2026-02-27T18:45:10Z", at: JSONPath([.key("clickedAt")])), ["shortCode": "bare"],
    ]
    for answer in answers {
      stage.script = [.body(answer)]
      stage.call(.handleURL("\(Stage.base)/abc123?utm_source=url&product=url&size=url"))
    }
  }

  private static func hangingLinks(_ stage: Stage) {
    listen(stage)
    stage.network = .hanging
    stage.call(.handleURL("\(Stage.base)/abc123"))
    for _ in 1...8 {
      stage.advance(10_000)
      stage.note("later")
    }
  }
}
