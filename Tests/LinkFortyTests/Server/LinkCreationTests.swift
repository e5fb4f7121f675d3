import HTTPValues
import JSONKit
import Testing

@testable import LinkFortyCore

@Suite struct LinkCreationTests {
  private let simple = "/api/sdk/v1/links"
  private let dashboard = "/api/links"
  private let key = [("Authorization", "Bearer \(Seeds.apiKey)"), ("Host", "localhost:8080")]

  @Test(arguments: [
    nil, "", "lf_key_0123456789abcdef", "Basic lf_key_0123456789abcdef", "Bearer ", "Bearer nonsense",
    "Bearer lf_short", "bearer lf_key_0123456789abcdef", "Bearer \(Seeds.revokedApiKey)",
  ])
  func withoutAKeyNoLinkIsMade(_ field: String?) {
    var server = LinkFortyServer(dialect: .spec)
    for path in [simple, dashboard] {
      var request = post(path, [:])
      request.headers["Authorization"] = field
      let response = server.respond(to: request, at: "main", now: 0)
      #expect(response.status == 401)
      #expect(response.json?["message"]?.string != nil)
    }
  }

  @Test func aLinkThatWasMadeResolvesWithWhatItWasGiven() throws {
    var server = LinkFortyServer(dialect: .spec)
    let options: JSON = [
      "deepLinkParameters": ["product": "123"], "utmParameters": ["source": "x"], "customCode": "blueshoes",
    ]
    let made = try #require(server.respond(to: post(simple, options, headers: key), at: "main", now: 0).json)
    #expect(made["url"] == "http://localhost:8080/summer/blueshoes" && made["deduplicated"] == false)
    let resolved = server.respond(
      to: HTTPRequest(method: "GET", target: "/api/sdk/v1/resolve/summer/blueshoes"), at: "main", now: 0)
    #expect(resolved.json?["customParameters"] == ["product": "123"])
    #expect(resolved.json?["linkId"] == made["linkId"])
  }

  @Test func theSameUserGetsTheSameLinkForTheSameOptions() throws {
    var server = LinkFortyServer(dialect: .spec)
    func make(_ options: JSON) throws -> JSON {
      try #require(server.respond(to: post(simple, options, headers: key), at: "main", now: 0).json)
    }
    let first = try make(["title": "a", "externalUserId": "u"])
    let again = try make(["externalUserId": "u", "title": "a"])
    #expect(again["deduplicated"] == true && again["linkId"] == first["linkId"])
    for other: JSON in [["title": "a", "externalUserId": "v"], ["title": "b", "externalUserId": "u"], ["title": "a"]] {
      let made = try make(other)
      #expect(made["linkId"] != first["linkId"] && made["deduplicated"] == false)
    }
  }

  @Test(
    arguments: [
      (["templateId": .string(Seeds.templateId)], 200), ([:], 400), (["templateId": "x"], 400),
      (["templateId": "00000000-0000-4000-8000-000000000000"], 404),
    ] as [(JSON, Int)])
  func theDashboardEndpointNeedsATemplate(_ body: JSON, _ status: Int) {
    var server = LinkFortyServer(dialect: .spec)
    let response = server.respond(to: post(dashboard, body, headers: key), at: "main", now: 0)
    #expect(response.status == status)
    if status == 200 { #expect(response.json?["id"] == response.json?["linkId"]) }
  }

  @Test(arguments: [(0, 400), (1, 200), (2160, 200), (2161, 400), (1.5, 400), ("168", 400)] as [(JSON, Int)])
  func theWindowOfALinkIsBounded(_ window: JSON, _ status: Int) {
    var server = LinkFortyServer(dialect: .spec)
    let request = post(simple, ["attributionWindowHours": window], headers: key)
    #expect(server.respond(to: request, at: "main", now: 0).status == status)
  }

  @Test(arguments: [
    ("abc123", 409), ("a/b", 400), ("api", 400), ("xxxxxxxxxxxxxxxxxxxxx", 400), ("", 400), ("ok-1", 200),
  ])
  func aCustomCodeIsHonouredOrRefused(_ code: String, _ status: Int) {
    var server = LinkFortyServer(dialect: .spec)
    let response = server.respond(to: post(simple, ["customCode": .string(code)], headers: key), at: "main", now: 0)
    #expect(response.status == status)
  }

  @Test func coreMakesLinksForAnybodyThatSaysWhereTheyLead() throws {
    var server = LinkFortyServer(dialect: .core121)
    #expect(
      server.respond(to: post(dashboard, ["templateId": .string(Seeds.templateId)]), at: "main", now: 0).status == 500)
    let body: JSON = ["originalUrl": "https://example.com", "customCode": "abc123"]
    let row = try #require(server.respond(to: post(dashboard, body), at: "main", now: 0).json)
    #expect(row["short_code"] != "abc123" && row["short_code"]?.string?.count == 8)
    #expect(row["url"] == nil && row["id"]?.string != nil)
    let unknown: JSON = ["originalUrl": "https://example.com", "templateId": "00000000-0000-4000-8000-000000000000"]
    #expect(server.respond(to: post(dashboard, unknown), at: "main", now: 0).json?["code"] == "23503")
  }
}
