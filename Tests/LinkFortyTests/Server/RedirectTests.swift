import HTTPValues
import JSONKit
import Testing

@testable import LinkFortyCore
@testable import LinkFortyModel

@Suite struct RedirectTests {
  private static let iphone = SwitchScenario.safari
  private static let android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/124.0.0.0 Mobile Safari/537.36"
  private static let instagram = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Mobile/15E148 Instagram 320.0"

  private func link(_ members: JSON.Object, original: String? = nil) throws -> Link {
    var members = members
    members["shortCode"] = "code"
    var link = Link(data: try DeepLinkData(JSONField(.object(members))))
    link.originalUrl = original
    return link
  }

  @Test(arguments: [
    (SwitchScenario.desktop, "https://web"), (Self.iphone, "https://apple"), (Self.android, "https://google"),
    (Self.instagram, "https://web"), ("", "https://web"),
  ])
  func aPlatformHasItsDestination(_ agent: String, _ url: String) throws {
    let link = try link(["webUrl": "https://web", "iosUrl": "https://apple", "androidUrl": "https://google"])
    #expect(Destination(of: link, fallback: nil, for: UserAgent(agent)) == .redirect(url))
  }

  @Test(
    arguments: [
      (["webUrl": "https://web"], "https://original", "https://template", "https://web"),
      ([:], "https://original", "https://template", "https://original"),
      ([:], nil, "https://template", "https://template"), ([:], nil, nil, nil),
    ] as [(JSON.Object, String?, String?, String?)])
  func aLinkWithoutADestinationLeadsWhereItsTemplateDoes(
    _ members: JSON.Object, _ original: String?, _ fallback: String?, _ url: String?
  ) throws {
    for agent in [Self.iphone, SwitchScenario.desktop] {
      let found = Destination(of: try link(members, original: original), fallback: fallback, for: UserAgent(agent))
      #expect(found == url.map { .redirect($0) })
    }
  }

  @Test(arguments: [
    ("https://web", "https://web?utm_source=a%20b&utm_content=c&p=1&n=5"),
    ("https://web?x=y", "https://web?x=y&utm_source=a%20b&utm_content=c&p=1&n=5"),
  ])
  func campaignAndParametersAreAppended(_ url: String, _ full: String) throws {
    let link = try link([
      "webUrl": .string(url), "utmParameters": ["content": "c", "source": "a b"],
      "customParameters": ["p": "1", "n": 5],
    ])
    #expect(Destination(of: link, fallback: nil, for: UserAgent("")) == .redirect(full))
  }

  @Test func aSchemeIsTriedOnTelephonesAlone() throws {
    let link = try link(["webUrl": "https://web", "appScheme": "shop", "deepLinkPath": "/product/1"])
    let phone = try #require(Destination(of: link, fallback: nil, for: UserAgent(Self.android)))
    #expect(phone == .interstitial(app: "shop://product/1", fallback: "https://web"))
    #expect(phone.response.status == 200)
    #expect(String(decoding: phone.response.body, as: UTF8.self).contains("\"shop://product/1\""))
    #expect(Destination(of: link, fallback: nil, for: UserAgent("")) == .redirect("https://web"))
  }

  @Test(
    arguments: [
      ([:], "de", true), (["devices": ["ios"]], "de", true), (["devices": ["web", "android"]], "de", false),
      (["languages": ["de", "fr"]], "de-DE,de;q=0.9", true), (["languages": ["fr"]], "de-DE", false),
      (["languages": ["fr"]], "", false), (["countries": ["de"]], "de", true), (["countries": ["FR"]], "de", false),
    ] as [(JSON, String, Bool)])
  func aLinkIsForThoseItIsMeantFor(_ rules: JSON, _ language: String, _ isMeant: Bool) {
    let request = HTTPRequest(
      method: "GET", target: "/code",
      headers: ["User-Agent": Self.iphone, "Accept-Language": language, "X-Forwarded-For": "194.25.0.60"])
    #expect(Targeting(rules).includes(request) == isMeant)
  }

  @Test(arguments: [
    ("/abc123", 302), ("/summer/abc123", 302), ("/winter/abc123", 404), ("/idle01", 404), ("/gone01", 404),
    ("/nothere", 404), ("/bare01", 404),
  ])
  func openingFindsWhatResolvingFinds(_ path: String, _ status: Int) {
    var server = LinkFortyServer(dialect: .spec)
    let request = SwitchScenario.get(path, agent: SwitchScenario.desktop)
    #expect(server.respond(to: request, at: "main", now: 1_767_225_600_000).status == status)
    // A click is a click, even on a link that leads nowhere.
    #expect(server.clicks.count == (status == 302 || path == "/bare01" ? 1 : 0))
  }

  @Test(arguments: ServerDialect.allCases)
  func theShippedServerMakesLinksForSomeAndForAWhile(_ dialect: ServerDialect) throws {
    guard dialect.isCore else { return }
    var server = LinkFortyServer(dialect: dialect)
    let body: JSON = [
      "originalUrl": "https://original", "targetingRules": ["devices": ["android"]],
      "expiresAt": "2026-01-01T00:00:00Z",
    ]
    let code = try #require(
      server.respond(to: post("/api/links", body), at: "main", now: 0).json?["short_code"]?.string)
    func status(_ path: String, _ agent: String, _ now: Int) -> Int {
      server.respond(to: SwitchScenario.get(path, agent: agent), at: "main", now: now).status
    }
    #expect(status("/\(code)", Self.android, 0) == 302)
    #expect(status("/\(code)", Self.iphone, 0) == 404)
    #expect(status("/api/sdk/v1/resolve/\(code)", Self.iphone, 0) == 200)
    #expect(status("/api/sdk/v1/resolve/\(code)", Self.iphone, 1_767_225_600_001) == 404)
  }
}
