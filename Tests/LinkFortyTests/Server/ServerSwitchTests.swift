import HTTPValues
import JSONKit
import ReferenceKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore

@Suite struct ServerSwitchTests {
  /// Requests that between them touch everything the server does: a switch that changes no answer does nothing.
  private static let requests: [HTTPRequest] = {
    let key = [("Authorization", "Bearer \(Seeds.apiKey)")]
    let resolve = "/api/sdk/v1/resolve"
    let known = JSON.string(Seeds.installId)
    let stranger: JSON = "00000000-0000-4000-8000-000000000000"
    let visitor = [("X-Forwarded-For", "203.0.113.9"), ("User-Agent", "a")]
    func get(_ target: String) -> HTTPRequest {
      HTTPRequest(method: "GET", target: target, headers: ["X-Forwarded-For": "203.0.113.9", "User-Agent": "a"])
    }
    return [
      get("/api/sdk/v1/health"), post(installPath, ["userAgent": "a"]), post(installPath, [:]),
      post(installPath, ["userAgent": "a", "foo": 1, "appVersion": "1", "appToken": "x"]),
      post(installPath, ["userAgent": "a", "timezone": 5]), post(installPath, ["userAgent": "a", "screenWidth": 1.5]),
      post(installPath, ["userAgent": .string(String(repeating: "x", count: 60))]),
      post(installPath, ["userAgent": .string(String(repeating: "x", count: 1 << 20))]),
      HTTPRequest(
        method: "POST", target: installPath, headers: ["Content-Type": "application/json"], body: Array("{".utf8)),
      post(eventPath, ["installId": known, "eventName": "e"]), post(eventPath, ["installId": known]),
      post(eventPath, ["installId": stranger, "eventName": "e"]),
      post(
        eventPath, ["installId": known, "eventName": "e", "eventData": ["a": [1]], "timestamp": "2026-01-01T00:00:00Z"]),
      post(eventPath, ["installId": known, "eventName": "e", "eventData": []]),
      post(eventPath, ["installId": known, "eventName": "e", "eventData": ["amount": 1]]),
      get("\(resolve)/abc123"), get("\(resolve)/nothere"), get("\(resolve)/winter/abc123"), get("\(resolve)/idle01"),
      get("\(resolve)/gone01"), get("\(resolve)/bare01?fp_lang=xxxxxxxxxxxxxxxx"), get("\(resolve)/hour01"),
      post(
        "/api/sdk/v1/links", ["customCode": "count", "deepLinkParameters": ["count": 5]], headers: key),
      get("\(resolve)/count"),
      post("/api/sdk/v1/links", [:]),
      post("/api/sdk/v1/links", ["customCode": "mine", "deepLinkParameters": ["a": "b"]], headers: key),
      post(installPath, ["userAgent": "a"], headers: visitor), post(installPath, ["userAgent": "a"]),
      get("\(resolve)/mine"), post("/api/sdk/v1/links", ["customCode": "mine"], headers: key),
      post("/api/sdk/v1/links", ["externalUserId": "u"], headers: key),
      post("/api/sdk/v1/links", ["externalUserId": "u"], headers: key),
      post("/api/sdk/v1/links", ["attributionWindowHours": 2161], headers: key),
      post(installPath, ["userAgent": "a", "attributionWindowHours": 1], headers: visitor),
      post(installPath, ["userAgent": "a"], headers: visitor),
    ]
  }()

  /// The answers: in the specification's dialect an hour apart, but for the last, nine days later; then the service's.
  private static func answers(_ switches: Set<ServerSwitch>) -> [HTTPResponse] {
    var server = LinkFortyServer(dialect: .spec, seed: 1, switches: Switches(switches))
    let specified = requests.enumerated().map { index, request in
      let late = index == requests.count - 1 ? 216 : 0
      return server.respond(to: request, at: "main", now: 1_767_225_600_000 + (index + late) * 3_600_000)
    }
    var cloud = LinkFortyServer(dialect: .cloud, seed: 1, switches: Switches(switches))
    // A template of its own, besides the one that every server has.
    guard
      case .result(let template) = cloud.perform("createTemplate", params: ["slug": "winter"], now: 1_767_225_600_000),
      let id = template["templateId"]?.string
    else { return specified }
    let ofTemplate = cloud.respond(to: SwitchScenario.link(from: id), at: "main", now: 1_767_225_600_000)
    return specified + [ofTemplate]
      + SwitchScenario.requests.enumerated().map { index, request in
        cloud.respond(to: request, at: "main", now: 1_767_225_600_100 + index * 100)
      }
  }

  private static let reference = answers([])

  @Test(arguments: ServerSwitch.allCases)
  func aSwitchChangesAnAnswer(_ one: ServerSwitch) {
    let changed = zip(Self.answers([one]), Self.reference).contains { $0 != $1 }
    #expect(changed, "\(one.rawValue) changes nothing")
  }

  @Test func thePackKnowsTheSwitchesOfBothSides() {
    let pack = LinkFortyPack.pack
    #expect(pack.switches["server"]?.contains("resolve.unknown-found") == true)
    #expect(pack.switches["sdk"]?.contains("queue.holds-99") == true)
    var server = pack.makeServer("spec", 1, ["resolve.unknown-found"])
    let unknown = HTTPRequest(method: "GET", target: "/api/sdk/v1/resolve/nothere")
    #expect(server.respond(to: unknown, at: "main", now: 0).status == 200)
  }
}
