import HTTPValues
import JSONKit
import ReferenceKit
import Testing

@testable import Sentiance

/// The requests of a customer's backend to the platform, and its answers to the app.
@Suite struct CustomerBackendTests {
  private static let environment = [
    "SENTIANCE_BASE_URL": "http://platform.test/api/", "SENTIANCE_API_KEY": "link-key",
    "SENTIANCE_DELETE_KEY": "delete-key", "SENTIANCE_APP_ID": "app-1", "SENTIANCE_APP_SECRET": "app-secret",
    "SESSIONS": "s-1=anna,s-2=ben",
  ]

  private let settings: BackendSettings

  init() throws { settings = try BackendSettings(environment: Self.environment) }

  private func request(
    _ method: String, _ path: String, session: String? = "s-1", _ body: JSON? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(method: method, target: path, body: body?.compactBytes ?? [])
    request.headers["Authorization"] = session.map { "bearer \($0)" }
    return request
  }

  private func call(_ request: HTTPRequest) throws -> PlatformCall {
    guard case .ask(let call) = CustomerBackend(settings).decide(on: request) else {
      Issue.record("the platform was not asked")
      throw CancellationError()
    }
    return call
  }

  private func status(_ request: HTTPRequest) -> Int? {
    if case .answer(let answer) = CustomerBackend(settings).decide(on: request) { answer.status } else { nil }
  }

  static let callsToPlatform: [(String, String, JSON?)] = [
    ("POST", "/sentiance/link", ["install_id": "i-1"]), ("POST", "/sentiance/auth-code", nil),
    ("GET", "/sentiance/config", nil), ("GET", "/sentiance/user", nil), ("DELETE", "/sentiance/user", nil),
  ]

  @Test(arguments: callsToPlatform.indices, [nil, "", "nobody", "anna"])
  func withoutASessionNothingIsDone(_ index: Int, _ session: String?) {
    let (method, path, body) = Self.callsToPlatform[index]
    #expect(status(request(method, path, session: session, body)) == 401)
  }

  @Test func theSessionSaysWhoAsks() throws {
    let body: JSON = ["install_id": "i-1", "external_id": "ben", "user_id": "ben"]
    #expect(
      try call(request("POST", "/sentiance/link?external_id=ben", body)) == .link(installID: "i-1", externalID: "anna"))
  }

  static let segments = [
    ("i-1", "i-1"), ("a/b", "a%2Fb"), ("../me", "..%2Fme"), ("%2e", "%252e"), ("a b", "a%20b"), ("x?y", "x%3Fy"),
  ]

  @Test(arguments: segments)
  func anInstallIsOneSegment(_ installID: String, _ segment: String) throws {
    let made = try call(request("POST", "/sentiance/link", ["install_id": .string(installID)])).request(settings)
    #expect(made.request.target == "/api/v2/users/\(segment)/link")
    #expect(made.request.headers["Authorization"] == "Bearer link-key")
    #expect(try JSON(parsing: made.request.body) == ["external_id": "anna"])
  }

  @Test(arguments: [JSON.null, "", " ", ".", "..", 1, ["i-1"]])
  func anInstallThatIsNoneIsRefused(_ installID: JSON) {
    #expect(status(request("POST", "/sentiance/link", ["install_id": installID])) == 400)
  }

  /// The platform's answer to a link request, and the status that the app gets.
  static let outcomes: [(status: Int, body: JSON, told: Int)] = [
    (200, ["id": "u-1"], 200), (200, ["person_id": "u-1"], 200), (200, [:], 502), (200, ["id": ""], 502),
    (200, ["id": 1], 502), (200, "text", 502), (403, ["errorCode": "INSTALL_DISABLED"], 409),
    (404, ["errorCode": "INSTALL_NOT_FOUND"], 409),
    (403, ["errorCode": "CANNOT_LINK_EXISTING_PERSON_TO_OTHER_PERSON"], 409), (401, [:], 502),
    (403, ["errorCode": "FORBIDDEN"], 502), (302, [:], 502), (400, [:], 502), (429, [:], 503), (500, [:], 503),
  ]

  @Test(arguments: outcomes.indices)
  func aLinkIsToldWhenItIsMade(_ index: Int) throws {
    let outcome = Self.outcomes[index]
    var backend = CustomerBackend(settings)
    let call = try call(request("POST", "/sentiance/link", ["install_id": "i-1"]))
    let told = backend.answer(to: call, .success(.json(outcome.status, outcome.body)))
    #expect(told.status == outcome.told)
    // The backend keeps the link only if it reported success to the app.
    guard case .answer(let user) = backend.decide(on: request("GET", "/sentiance/user")) else {
      Issue.record("the platform was asked")
      return
    }
    #expect(try JSON(parsing: user.body)["linked"] == .bool(outcome.told == 200))
  }

  @Test func aPlatformThatIsSilentIsToldAsThat() throws {
    var backend = CustomerBackend(settings)
    let told = backend.answer(
      to: try call(request("POST", "/sentiance/auth-code")), .failure(TransportFailure("nobody there")))
    #expect(told.status == 504)
    #expect(!String(decoding: told.body, as: UTF8.self).contains("nobody there"))
  }

  @Test(arguments: [("abc", 200), ("", 502)])
  func aCodeIsHandedOnAsItIs(_ code: String, _ status: Int) throws {
    var backend = CustomerBackend(settings)
    let call = try call(request("POST", "/sentiance/auth-code"))
    #expect(call.request(settings).request.target == "/api/users/auth-code")
    let issued: JSON = ["authentication_code": .string(code), "expires_at": "2099-01-01T00:00:00.000Z"]
    let told = backend.answer(to: call, .success(.json(200, issued)))
    #expect(told.status == status)
    let body = try JSON(parsing: told.body)
    #expect(body["auth_code"]?.string == (status == 200 ? code : nil))
    #expect(body["platform_url"]?.string == (status == 200 ? "http://platform.test/api/" : nil))
  }

  @Test func aDeletionNamesTheSentianceUser() throws {
    var backend = CustomerBackend(settings)
    #expect(status(request("DELETE", "/sentiance/user")) == 404)
    _ = backend.answer(to: .link(installID: "i-1", externalID: "anna"), .success(.json(200, ["id": "u-1"])))
    guard case .ask(let call) = backend.decide(on: request("DELETE", "/sentiance/user")) else {
      Issue.record("the platform was not asked")
      return
    }
    let made = call.request(settings).request
    #expect(made.target == "/api/users/u-1")
    #expect(made.headers["Authorization"] == "Bearer delete-key")
    #expect(backend.answer(to: call, .success(.json(404, [:]))).status == 200)
    #expect(
      backend.decide(on: request("GET", "/sentiance/user"))
        == CustomerBackend(settings).decide(on: request("GET", "/sentiance/user")))
  }

  @Test(arguments: [
    ("SENTIANCE_BASE_URL", ""), ("SENTIANCE_BASE_URL", "platform"), ("SENTIANCE_API_KEY", ""), ("SESSIONS", "s-1"),
  ])
  func settingsWithoutSense(_ name: String, _ value: String) {
    var environment = Self.environment
    environment[name] = value
    #expect {
      try BackendSettings(environment: environment)
    } throws: {
      "\($0)".hasPrefix(name)
    }
  }
}
