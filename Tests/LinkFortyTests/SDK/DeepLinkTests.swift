import JSONKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

@Suite struct DeepLinkTests {
  private func link(_ text: String, base: String = "https://go.example.com/p") throws -> LinkURL {
    LinkURL(text, base: try Configuration(ConfigurationRequest(baseUrl: base)).baseURL)
  }

  /// The segments that the server is asked for, and the code that the URL itself names.
  @Test(arguments: [
    ("https://go.example.com/p/abc", ["abc"], "abc"),
    ("https://go.example.com/p/summer/abc", ["summer", "abc"], "abc"),
    ("https://GO.example.com:443/p//abc/", ["abc"], "abc"), ("https://go.example.com/p/caf%C3%A9", ["café"], "café"),
    ("https://go.example.com/p/a%2Fb", ["a/b"], "a/b"), ("https://go.example.com/p/abc#x?y=1", ["abc"], "abc"),
    ("https://go.example.com/p/%E0%A4%A", ["%E0%A4%A"], "%E0%A4%A"),
  ])
  func aLinkOfTheServerIsResolved(_ text: String, _ path: [String], _ code: String) throws {
    let link = try link(text)
    #expect(link.path == path)
    #expect(link.data?.shortCode == code)
  }

  @Test(arguments: [
    "https://go.example.com.evil.example/p/abc", "https://other.example/p/abc", "https://go.example.com:444/p/abc",
    "http://go.example.com/p/abc", "https://go.example.com/q/abc", "https://go.example.com/pabc",
    "https://go.example.com/p/a/b/c", "https://user@go.example.com/p/abc", "myapp://product/123",
  ])
  func anotherURLIsNotButHasDataOfItsOwn(_ text: String) throws {
    let link = try link(text)
    #expect(link.path == nil)
    #expect(link.data?.shortCode.isEmpty == false)
  }

  @Test(arguments: [
    "https://go.example.com/p", "https://go.example.com/p/", "https://go.example.com/p/../admin",
    "https://go.example.com/p/%2E%2E/admin", "not a url", "",
  ])
  func aURLWithoutCodeHasNoData(_ text: String) throws {
    let link = try link(text)
    #expect(link.path == nil && link.data == nil)
  }

  @Test func theQueryIsTakenApart() throws {
    let query = "utm_source=a%20b&utm_medium=m&utm_campaign=c&utm_term=t&utm_content=x%26y&n%C3%A4me=%E2%9C%93&e=&flag"
    let data = try #require(try link("https://go.example.com/p/abc?\(query)&bad=%E0%A4%A").data)
    #expect(
      data.utmParameters == ["source": "a b", "medium": "m", "campaign": "c", "term": "t", "content": "x&y"])
    #expect(data.customParameters == ["näme": "✓", "e": "", "flag": "", "bad": "%E0%A4%A"])
  }

  @Test func theRequestNamesTheDevice() {
    let stage = Stage()
    stage.sdk.machine.device.timezone = "America/Argentina/Buenos_Aires"
    stage.sdk.machine.device.platformVersion = "17 beta"
    stage.initialize()
    stage.call(.handleURL("\(Stage.base)/summer/a%2Fb"))
    #expect(
      stage.requests.last?.request.target
        == "/api/sdk/v1/resolve/summer/a%2Fb?fp_tz=America%2FArgentina%2FBuenos_Aires&fp_lang=en-US&fp_sw=1179"
        + "&fp_sh=2556&fp_platform=iOS&fp_pv=17%20beta")
    #expect(stage.requests.last?.request.body == [])
  }

  @Test(arguments: [
    Stage.Network.refused, .status(404), .status(500), .bytes(Array("<html>".utf8)), .body([]), .body([:]),
    .body(.null), .body(["shortCode": ""]), .bytes([]),
  ])
  func whateverGoesWrongTheURLsOwnDataIsDelivered(_ network: Stage.Network) {
    let stage = Stage()
    stage.initialize()
    stage.call(.onDeepLink(handle: "a"))
    stage.network = network
    stage.call(.handleURL("\(Stage.base)/abc?x=1"))
    let value =
      "{\"url\":\"\(Stage.base)/abc?x=1\",\"data\":{\"shortCode\":\"abc\",\"customParameters\":{\"x\":\"1\"}}}"
    #expect(stage.trace.filter { $0.hasPrefix("callback") } == ["callback a \(value)"])
  }

  @Test func aServerThatHangsIsGivenUpAfterThreeSeconds() {
    let stage = Stage()
    stage.initialize()
    stage.call(.onDeepLink(handle: "a"))
    stage.network = .hanging
    stage.call(.handleURL("\(Stage.base)/abc"))
    stage.advance(2_999)
    #expect(!stage.trace.contains { $0.hasPrefix("callback") })
    stage.advance(1)
    #expect(stage.trace.contains { $0.hasPrefix("callback a") })
  }

  @Test func linksInFlightKeepTheirOwnData() {
    let stage = Stage()
    stage.initialize()
    for handle in ["a", "b"] { stage.call(.onDeepLink(handle: handle)) }
    stage.network = .held
    stage.call(.handleURL("\(Stage.base)/abc123"))
    stage.network = .up
    stage.call(.handleURL("\(Stage.base)/bare01"))
    stage.release()
    let calls = stage.trace.filter { $0.hasPrefix("callback") }
    #expect(calls.count == 4)
    for call in calls { #expect(call.contains("/abc123\"") == call.contains("\"shortCode\":\"abc123\"")) }
  }

  @Test func aLinkThatComesBeforeAnyCallbackWaits() {
    let stage = Stage()
    stage.initialize()
    stage.call(.handleURL("myapp://product/123"))
    stage.call(.onDeepLink(handle: "late"))
    stage.call(.onDeepLink(handle: "later"))
    #expect(stage.trace.filter { $0.hasPrefix("callback") }.count == 1)
  }

  @Test func aURLOfThePlatformIsDeliveredFromInitialisationOn() {
    let stage = Stage()
    stage.call(.onDeepLink(handle: "a"))
    stage.call(.platformURL("myapp://too/early"))
    stage.initialize()
    stage.call(.platformURL("myapp://product/123"))
    stage.call(.reset)
    stage.call(.platformURL("myapp://too/late"))
    let calls = stage.trace.filter { $0.hasPrefix("callback") }
    #expect(calls.count == 1 && calls.allSatisfy { $0.contains("myapp://product/123") })
  }

  @Test func theURLThatStartedTheAppWaitsForACallbackAndComesOnce() {
    let stage = Stage(initialURL: "myapp://product/123")
    stage.initialize()
    stage.call(.onDeepLink(handle: "late"))
    stage.call(.reset)
    stage.initialize()
    stage.call(.onDeepLink(handle: "later"))
    let calls = stage.trace.filter { $0.hasPrefix("callback") }
    #expect(calls.count == 1 && calls.allSatisfy { $0.hasPrefix("callback late") })
  }

  @Test func aDashboardAnswerBecomesALink() throws {
    let stage = Stage()
    stage.initialize(Stage.base + "/p/", key: Seeds.apiKey)
    stage.script = [.body(["id": "1", "short_code": "xyz"])]
    let options = CreateLinkOptions([
      "templateId": .string(Seeds.templateId), "templateSlug": "summer", "title": "Blue",
    ])
    #expect(
      try stage.call(.createLink(options))?.get() == [
        "url": "http://localhost:8080/p/summer/xyz", "shortCode": "xyz", "linkId": "1",
      ])
    #expect(stage.bodies(of: "/api/links").last == ["templateId": .string(Seeds.templateId), "title": "Blue"])
    for body: JSON in [[:], [], ["id": "1"], ["short_code": "x"], ["url": "", "shortCode": "x", "linkId": "1"]] {
      stage.script = [.body(body)]
      #expect(stage.call(.createLink(options))?.kind == .decoding)
    }
  }
}
