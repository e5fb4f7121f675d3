import HTTPValues
import JSONKit
import Templates
import Testing

@testable import LinkFortyCore
@testable import LinkFortyModel

/// A request in a table, with what a server of each dialect answers.
struct ServerRow: Sendable, CustomTestStringConvertible {
  var name: String
  var path: String
  var body: JSON
  var spec: Int
  var core: Int

  var testDescription: String { name }

  func status(in dialect: ServerDialect) -> Int { dialect.isCore ? core : spec }
}

let installPath = "/api/sdk/v1/install"
let eventPath = "/api/sdk/v1/event"

private func install(_ name: String, _ body: JSON.Object, spec: Int, core: Int) -> ServerRow {
  var members: JSON.Object = ["userAgent": "App/1 iOS/17"]
  for member in body.members { members[member.key] = member.value }
  return ServerRow(name: "install: \(name)", path: installPath, body: .object(members), spec: spec, core: core)
}

private func event(_ name: String, _ body: JSON.Object, spec: Int, core: Int) -> ServerRow {
  var members: JSON.Object = ["installId": .string(Seeds.installId), "eventName": "signup"]
  for member in body.members { members[member.key] = member.value }
  return ServerRow(name: "event: \(name)", path: eventPath, body: .object(members), spec: spec, core: core)
}

private func text(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }

let serverRows: [ServerRow] = [
  install("user agent alone", [:], spec: 200, core: 200),
  install("empty user agent", ["userAgent": ""], spec: 200, core: 200),
  install("number as user agent", ["userAgent": 1], spec: 400, core: 500),
  install("null user agent", ["userAgent": .null], spec: 400, core: 500),
  install("unknown member", ["foo": 1], spec: 200, core: 200),
  install("app version", ["appVersion": "2.4.1"], spec: 200, core: 200),
  install("app token of any form", ["appToken": "whatever"], spec: 200, core: 200),
  install("null device id", ["deviceId": .null], spec: 400, core: 500),
  install("language of 10", ["language": "zh-Hant-TW"], spec: 200, core: 200),
  install("language of 11", ["language": text(11)], spec: 200, core: 500),
  install("language of 36", ["language": text(36)], spec: 400, core: 500),
  install("timezone of 100", ["timezone": text(100)], spec: 200, core: 200),
  install("timezone of 101", ["timezone": text(101)], spec: 400, core: 500),
  install("platform of 51", ["platform": text(51)], spec: 400, core: 500),
  install("device id of 256", ["deviceId": text(256)], spec: 400, core: 500),
  install("sdkName of 51", ["sdkName": text(51)], spec: 400, core: 500),
  install("fractional screen", ["screenWidth": 411.43], spec: 200, core: 500),
  install("negative screen", ["screenWidth": -1], spec: 200, core: 200),
  install("huge screen", ["screenWidth": 2_147_483_648], spec: 200, core: 500),
  install("screen as text", ["screenWidth": "390"], spec: 400, core: 500),
  install("window of 1", ["attributionWindowHours": 1], spec: 200, core: 200),
  install("window of 2160", ["attributionWindowHours": 2160], spec: 200, core: 200),
  install("window of 0", ["attributionWindowHours": 0], spec: 400, core: 200),
  install("window of 2161", ["attributionWindowHours": 2161], spec: 400, core: 200),
  install("window of 1.5", ["attributionWindowHours": 1.5], spec: 400, core: 500),
  install("window as text", ["attributionWindowHours": "168"], spec: 400, core: 500),
  event("minimal", [:], spec: 200, core: 200),
  event("install id in capitals", ["installId": .string(Seeds.installId.uppercased())], spec: 200, core: 200),
  event("unknown install", ["installId": "00000000-0000-4000-8000-000000000000"], spec: 404, core: 404),
  event("install id that is no UUID", ["installId": "abc"], spec: 400, core: 500),
  event("null name", ["eventName": .null], spec: 400, core: 500),
  event("empty name", ["eventName": ""], spec: 400, core: 200),
  event("name of 255", ["eventName": text(255)], spec: 200, core: 200),
  event("name of 256", ["eventName": text(256)], spec: 400, core: 500),
  event("nested data", ["eventData": ["a": ["b": [1, .null, "é"]]]], spec: 200, core: 200),
  event("NUL in data", ["eventData": ["a": ["b\0"]]], spec: 200, core: 500),
  event("NUL in a name of data", ["eventData": ["a\0": 1]], spec: 200, core: 500),
  event("null data", ["eventData": .null], spec: 400, core: 500),
  event("array as data", ["eventData": []], spec: 400, core: 500),
  event("revenue", ["eventData": ["amount": 9.99, "currency": "USD"]], spec: 200, core: 200),
  event("time without fraction", ["timestamp": "2026-03-01T10:00:00Z"], spec: 200, core: 200),
  event("time with nine digits", ["timestamp": "2026-03-01T10:00:00.123456789Z"], spec: 200, core: 200),
  event("time with offset", ["timestamp": "2026-03-01T10:00:00+05:30"], spec: 200, core: 500),
  event("time without zone", ["timestamp": "2026-03-01T10:00:00"], spec: 400, core: 500),
  event("date alone", ["timestamp": "2026-03-01"], spec: 400, core: 500),
  event("time as number", ["timestamp": 1_767_225_600], spec: 400, core: 500),
  event("session that is no UUID", ["sessionId": "x"], spec: 400, core: 500),
]

@Suite struct ServerTests {
  @Test(arguments: serverRows, ServerDialect.allCases)
  func aBodyIsAnsweredAsTheDialectDoes(_ row: ServerRow, _ dialect: ServerDialect) throws {
    var server = LinkFortyServer(dialect: dialect)
    let response = server.respond(to: post(row.path, row.body), at: "main", now: 0)
    #expect(response.status == row.status(in: dialect))
    let body = try #require(response.json)
    if response.status >= 400 { #expect(body["error"]?.string != nil || body["message"]?.string != nil) }
    if !dialect.isCore, response.status >= 400 { #expect(body["statusCode"] == .int(response.status)) }
  }

  @Test func coreReportsEveryIssueOfTheSchemaAsTextOfAnInnerError() throws {
    var server = LinkFortyServer(dialect: .core121)
    let response = server.respond(to: post(eventPath, ["installId": "x", "timestamp": 5]), at: "main", now: 0)
    let body = try #require(response.json)
    #expect(body["statusCode"] == 500 && body["error"] == "Internal Server Error")
    let issues = try JSON(parsing: try #require(body["message"]?.string))
    #expect(
      issues == [
        ["validation": "uuid", "code": "invalid_string", "message": "Invalid uuid", "path": ["installId"]],
        [
          "code": "invalid_type", "expected": "string", "received": "undefined", "path": ["eventName"],
          "message": "Required",
        ],
        [
          "code": "invalid_type", "expected": "string", "received": "number", "path": ["timestamp"],
          "message": "Expected string, received number",
        ],
      ])
  }

  @Test func coreSaysWhatItsDatabaseSays() {
    var server = LinkFortyServer(dialect: .core121)
    let response = server.respond(to: post(installPath, ["userAgent": "a", "platform": text(51)]), at: "main", now: 0)
    #expect(
      response.json == [
        "error": "Failed to record install event", "message": "value too long for type character varying(50)",
      ])
  }

  /// Content type, body, and the statuses of both dialects.
  @Test(
    arguments: [
      ("application/json", "{", 400, 400), ("application/json", "", 400, 400), (nil, "", 400, 500),
      ("text/plain", "{}", 415, 500), ("application/x-www-form-urlencoded", "a=b", 415, 415), (nil, "{}", 415, 415),
      ("application/json; charset=utf-8", "{\"userAgent\":\"a\"}", 200, 200), ("application/json", "[]", 400, 500),
    ] as [(String?, String, Int, Int)])
  func aBodyThatIsNotJSONIsRefused(_ type: String?, _ body: String, _ spec: Int, _ core: Int) {
    for (dialect, status) in [(ServerDialect.spec, spec), (.core121, core)] {
      var server = LinkFortyServer(dialect: dialect)
      var request = HTTPRequest(method: "POST", target: installPath, body: Array(body.utf8))
      request.headers["Content-Type"] = type
      #expect(server.respond(to: request, at: "main", now: 0).status == status)
    }
  }

  @Test(arguments: ServerDialect.allCases)
  func aBodyOfMoreThanAMebibyteIsTooLarge(_ dialect: ServerDialect) {
    var server = LinkFortyServer(dialect: dialect)
    for (size, status) in [(1 << 20, 200), ((1 << 20) + 1, 413)] {
      let overhead = "{\"userAgent\":\"\"}".utf8.count
      let request = post(installPath, ["userAgent": text(size - overhead)])
      #expect(request.body.count == size)
      #expect(server.respond(to: request, at: "main", now: 0).status == status)
    }
  }

  @Test(arguments: [
    ("GET", "/api/sdk/v1/health", 200, 200), ("HEAD", "/api/sdk/v1/health", 200, 200),
    ("POST", "/api/sdk/v1/health", 404, 404), ("GET", "/api/sdk/v1/health/", 404, 404),
    ("GET", "/API/sdk/v1/health", 404, 404), ("GET", "/api/sdk/v1/install", 404, 404),
    ("PUT", "/api/sdk/v1/install", 404, 404), ("GET", "/api/foo", 404, 404), ("POST", "/api/sdk/v1/links", 401, 404),
    ("POST", "/api/links", 401, 500), ("GET", "/api/sdk/v1/resolve/abc123", 200, 200),
    ("GET", "/api/sdk/v1/resolve/summer/abc123", 200, 200), ("GET", "/api/sdk/v1/resolve/winter/abc123", 404, 404),
    ("GET", "/api/sdk/v1/resolve/abc123?fp_tz=&fp_lang=xxxxxxxxxxxxxxxx&fp_sw=a", 200, 200),
    ("GET", "/api/sdk/v1/resolve/ABC123", 404, 404), ("GET", "/api/sdk/v1/resolve/", 404, 404),
    ("GET", "/api/sdk/v1/resolve/idle01", 404, 404), ("GET", "/api/sdk/v1/resolve/gone01", 404, 404),
    ("GET", "/api/sdk/v1/resolve/a%2Fb", 404, 404), ("GET", "/api/sdk/v1/resolve/%FF", 404, 404),
    ("GET", "/api/sdk/v1/resolve/a/b/c", 404, 404), ("GET", "/abc123", 302, 302), ("GET", "/nothere", 404, 404),
    ("GET", "/bare01", 404, 404), ("GET", "/api/links", 404, 200), ("GET", "/health", 404, 200),
    ("GET", "/health/ready", 404, 200), ("GET", "/api/templates", 404, 200), ("DELETE", "/api/links/none", 404, 500),
    ("GET", "/api/templates/none", 404, 500), ("PUT", "/abc123", 404, 404),
  ])
  func routes(_ method: String, _ target: String, _ spec: Int, _ core: Int) {
    for (dialect, status) in [(ServerDialect.spec, spec), (.core121, core)] {
      var server = LinkFortyServer(dialect: dialect)
      let response = server.respond(to: HTTPRequest(method: method, target: target), at: "main", now: 1_767_225_600_000)
      #expect(response.status == status)
    }
  }

  @Test func aRouteThatIsNotThereIsNamed() {
    var server = LinkFortyServer(dialect: .core121)
    let response = server.respond(to: HTTPRequest(method: "PUT", target: "/api/x?y=1"), at: "main", now: 0)
    #expect(
      response.json == ["message": "Route PUT:/api/x?y=1 not found", "error": "Not Found", "statusCode": 404])
  }

  @Test(arguments: [(1_735_689_600_000, 200), (1_735_689_600_001, 404)])
  func aLinkIsThereUntilTheInstantItExpires(_ now: Int, _ status: Int) {
    var server = LinkFortyServer(dialect: .spec)
    let request = HTTPRequest(method: "GET", target: "/api/sdk/v1/resolve/gone01")
    #expect(server.respond(to: request, at: "main", now: now).status == status)
  }

  @Test(arguments: ServerDialect.allCases)
  func eachInstallHasAnIDOfItsOwnThatEventsMayName(_ dialect: ServerDialect) throws {
    var server = LinkFortyServer(dialect: dialect, seed: 3)
    let ids = (1...3).compactMap { _ in
      server.respond(to: post(installPath, ["userAgent": "a"]), at: "main", now: 0).json?["installId"]?.string
    }
    #expect(Set(ids).count == 3 && ids.allSatisfy(UUIDText.isValid))
    var twin = LinkFortyServer(dialect: dialect, seed: 3)
    #expect(
      twin.respond(to: post(installPath, ["userAgent": "a"]), at: "main", now: 0).json?["installId"]?.string == ids[0])
    let answer = server.respond(
      to: post(eventPath, ["installId": .string(ids[2]), "eventName": "signup"]), at: "main", now: 0)
    #expect(answer.json?["acknowledged"] == true)
  }

  @Test func anOperatorOfCoreReadsChangesAndDeletesLinksAndTemplates() throws {
    var server = LinkFortyServer(dialect: .core121)
    func ask(_ method: String, _ target: String, _ body: JSON = [:]) -> HTTPResponse {
      var request = post(target, body)
      request.method = method
      return server.respond(to: request, at: "main", now: 1_767_225_600_000)
    }
    let template = try #require(ask("POST", "/api/templates", ["name": "Shoes", "slug": "shoes"]).json)
    let templateId = try #require(template["id"]?.string)
    let order: JSON = ["originalUrl": "https://a.example/", "templateId": .string(templateId), "title": "Blue"]
    let made = try #require(ask("POST", "/api/links", order).json)
    #expect(made["template_id"] == .string(templateId) && made["title"] == "Blue" && made["expires_at"] == .null)
    let path = "/api/links/\(try #require(made["id"]?.string))"
    let changed = ask("PUT", path, ["isActive": false, "originalUrl": "https://b.example/"]).json
    #expect(changed?["is_active"] == false && changed?["original_url"] == "https://b.example/")
    #expect(ask("GET", path).json == changed)
    let code = try #require(made["short_code"]?.string)
    #expect(ask("GET", "/api/sdk/v1/resolve/\(code)").status == 404)
    #expect(ask("DELETE", path).json == ["success": true])
    #expect(ask("GET", path).json?["message"] == "Link not found")
    #expect(ask("PUT", "/api/templates/\(templateId)", ["name": "Boots"]).json?["name"] == "Boots")
    #expect(ask("DELETE", "/api/templates/\(templateId)").status == 200)
    #expect(ask("GET", "/api/templates/\(templateId)").status == 500)
  }

  @Test func bareLinksAreSpelledAsTheDialectDoes() throws {
    let request = HTTPRequest(method: "GET", target: "/api/sdk/v1/resolve/bare01")
    var spec = LinkFortyServer(dialect: .spec)
    let members = spec.respond(to: request, at: "main", now: 0).json?.object?.keys ?? []
    #expect(Set(members) == ["shortCode", "clickedAt", "linkId"])
    var core = LinkFortyServer(dialect: .core121)
    let body = try #require(core.respond(to: request, at: "main", now: 0).json)
    #expect(body["utmParameters"] == [:] && body["customParameters"] == [:])
  }
}

func post(_ path: String, _ body: JSON, headers: [(String, String)] = []) -> HTTPRequest {
  var request = HTTPRequest(
    method: "POST", target: path, headers: ["Content-Type": "application/json"], body: Array(body.compactText.utf8))
  for (name, value) in headers { request.headers.append(name, value) }
  return request
}
