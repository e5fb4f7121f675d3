import HTTPValues
import JSONKit

@testable import LinkFortyCore

/// Requests that touch what the server does as the hosted service, shortly one after the other.
enum SwitchScenario {
  static let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1"
  static let desktop = "Mozilla/5.0 (Windows NT 10.0) Chrome/124.0.0.0 Safari/537.36"
  private static let resolve = "/api/sdk/v1/resolve"
  private static let key = [("Authorization", "Bearer \(Seeds.apiKey)")]
  private static let device: JSON.Object = [
    "userAgent": .string(safari), "timezone": "Europe/Berlin", "language": "de-DE", "screenWidth": 100,
    "screenHeight": 200,
  ]

  static let requests: [HTTPRequest] = visits + events + links + limits

  static func get(_ target: String, from address: String = "127.0.0.1", agent: String = safari) -> HTTPRequest {
    HTTPRequest(method: "GET", target: target, headers: ["User-Agent": agent, "X-Forwarded-For": address])
  }

  private static func install(from address: String, _ changes: JSON.Object = [:]) -> HTTPRequest {
    var body = device
    for change in changes.members { body[change.key] = change.value == .null ? nil : change.value }
    return post(installPath, .object(body), headers: [("X-Forwarded-For", address)])
  }

  private static let visits = [
    get("\(resolve)/abc123?fp_tz=Europe%2FBerlin&fp_lang=de-DE&fp_sw=100&fp_sh=200", from: "81.1.1.9"),
    get("\(resolve)/bare01?fp_tz=Europe%2FBerlin&fp_lang=de-DE&fp_sw=100&fp_sh=200", from: "10.1.1.9"),
    install(from: "81.1.1.9"), install(from: "81.1.1.10"), install(from: "81.1.2.9"), install(from: "10.1.1.9"),
    install(from: "81.1.1.9", ["userAgent": .string(desktop)]),
    install(from: "81.1.1.9", ["userAgent": .string(desktop), "screenWidth": .null]),
    install(from: "81.1.1.9", ["userAgent": .string(desktop), "language": "de-AT"]),
    install(from: "81.1.1.9", ["userAgent": .string(desktop), "timezone": "Europe/Paris"]),
    get("\(resolve)/summer/abc123"), get("\(resolve)/ABC123?fp_tz="), get("\(resolve)/%F0%9F%94%97"), get("/idle01"),
    HTTPRequest(method: "POST", target: "/api/sdk/v1/health"), get("\(resolve)/bare01"),
    get("/summer/abc123", from: "81.2.2.2"), install(from: "81.2.2.2"),
    get("/abc123", from: "81.3.3.3"), get("/bare01", from: "81.3.3.3", agent: desktop), install(from: "81.3.3.3"),
  ]

  private static let events = [
    post(
      eventPath, ["installId": .string(Seeds.installId), "eventName": "e"],
      headers: [("Authorization", "Bearer not-a-key")]),
    post(
      eventPath,
      [
        "installId": .string(Seeds.installId), "eventName": "e",
        "eventData": .object(JSON.Object((1...21).map { .init(key: "m\($0)", value: .int($0)) })),
      ]),
  ]

  private static let links = [
    post("/api/sdk/v1/links", [:], headers: [("Authorization", "Bearer \(Seeds.revokedApiKey)")]),
    post("/api/sdk/v1/links", ["customCode": "a/b"], headers: key),
    post("/api/sdk/v1/links", ["customCode": "mine"], headers: key),
    post("/api/sdk/v1/links", ["customCode": "mine"], headers: key),
    post("/api/sdk/v1/links", ["externalUserId": "v", "expiresAt": "2020-01-01T00:00:00Z"], headers: key),
    post("/api/sdk/v1/links", ["externalUserId": "v", "expiresAt": "2020-01-01T00:00:00Z"], headers: key),
    post("/api/sdk/v1/links", ["externalUserId": "u"], headers: key),
    post("/api/sdk/v1/links", ["externalUserId": "v"], headers: key),
    post("/api/sdk/v1/links", [:], headers: [("Authorization", "Bearer \(Seeds.apiKey.uppercased())")]),
    post("/api/sdk/v1/links", ["externalUserId": "w", "deepLinkParameters": ["a": "1"]], headers: key),
    post("/api/sdk/v1/links", ["externalUserId": "w", "deepLinkParameters": ["a": "2"]], headers: key),
    post("/api/links", ["templateId": .string(Seeds.templateId), "deepLinkParameters": ["a": "1"]], headers: key),
    post("/api/links", ["templateId": .string(Seeds.templateId)]),
    post("/api/links", ["templateId": "00000000-0000-4000-8000-000000000000"], headers: key),
    post("/api/links", ["templateId": .string(Seeds.templateId), "attributionWindowHours": 0], headers: key),
    post("/api/links", ["templateId": .string(Seeds.templateId), "attributionWindowHours": 2160], headers: key),
  ]

  static func link(from template: String) -> HTTPRequest {
    post("/api/links", ["templateId": .string(template)], headers: key)
  }

  private static let limits =
    (0...RateLimiter.limit).map { _ in get("/api/sdk/v1/health", from: "81.9.9.9") }
    + [get("/abc123", from: "81.9.9.9", agent: desktop)]
}
