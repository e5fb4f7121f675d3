import JSONKit

@testable import LinkFortyCore
@testable import LinkFortyModel

// Plays with events, revenue and links.
extension Scenes {
  static func eventContents(_ stage: Stage) {
    stage.sdk.machine.device.timezone = "Asia/Kolkata"
    stage.initialize()
    stage.track("Level Up")
    stage.advance(1000)
    stage.track(String(repeating: "x", count: 101))
    stage.track("\t")
    stage.track("typed", ["yes": true, "cart": ["count": 1], "tenth": 0.1, "note": "", "city": "Zürich"])
  }

  static func eventOutcomes(_ stage: Stage) {
    stage.initialize()
    stage.script = [.status(201), .status(500)]
    stage.track("created")
    stage.track("failed")
    stage.network = .refused
    for name in ["one", "two"] { stage.track(name) }
    stage.call(.queueSize)
    stage.network = .held
    for name in ["three", "four"] { stage.track(name) }
    stage.release()
  }

  static func eventOwners(_ stage: Stage) {
    stage.initialize()
    stage.track("before")
    stage.restart()
    stage.initialize()
    stage.track("again")
    stage.call(.clearData)
    stage.call(.reset)
    stage.initialize()
    stage.track("afterwards")
  }

  static func revenue(_ stage: Stage) {
    stage.initialize()
    for amount in ["0", "0.1", "1e3", "Infinity"] {
      stage.call(.trackRevenue(amount: amount, currency: "usd", properties: ["sku": "a-1"]))
    }
  }

  static func linkOrders(_ stage: Stage) {
    stage.initialize(key: "")
    stage.call(.createLink(CreateLinkOptions()))
    stage.call(.reset)
    stage.initialize(key: "lf_key_0123456789abcdef")
    let options = CreateLinkOptions([
      "deepLinkParameters": ["product": "123"], "description": "Shared", "customCode": "blueshoes",
      "utmParameters": ["source": "flyer"],
    ])
    stage.call(.createLink(options))
    stage.call(
      .createLink(
        CreateLinkOptions(["templateId": .string(Seeds.templateId), "templateSlug": "summer", "title": "Blue"])))
  }

  static func linkAnswers(_ stage: Stage) {
    stage.initialize("http://localhost:8080/links", key: "lf_key_0123456789abcdef")
    let link: JSON = ["url": "https://go.example.com/s/a", "shortCode": "a", "linkId": "l", "deduplicated": true]
    let row: JSON = ["id": "l", "short_code": "a"]
    for network: Stage.Network in [.body(link), .body(row), .status(403), .status(429), .refused] {
      stage.script = [network]
      stage.call(.createLink(CreateLinkOptions(["templateId": .string(Seeds.templateId), "templateSlug": "summer"])))
    }
  }
}
