import HTTPValues
import JSONKit
import ReferenceKit
import Testing

@testable import LinkFortyCore
@testable import LinkFortyModel

@Suite struct AttributionTests {
  private static let hour = 3_600_000
  private static let chrome = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Safari/604.1"

  /// A click on a link from an address, and the install of the same device so much later.
  private func attribute(
    _ code: String, clickFrom: String = "203.0.113.9", installFrom: String = "203.0.113.9", age: Int = 1000,
    dialect: ServerDialect = .core121, install: JSON.Object = [:], switches: Set<ServerSwitch> = []
  ) -> JSON {
    var server = LinkFortyServer(dialect: dialect, switches: Switches(switches))
    let click = HTTPRequest(
      method: "GET", target: "/api/sdk/v1/resolve/\(code)?fp_tz=Europe%2FBerlin&fp_lang=de&fp_sw=100&fp_sh=200",
      headers: ["User-Agent": Self.chrome, "X-Forwarded-For": clickFrom])
    _ = server.respond(to: click, at: "main", now: 1_800_000_000_000)
    var body: JSON.Object = ["userAgent": .string(Self.chrome)]
    for member in install.members { body[member.key] = member.value }
    let report = post(installPath, .object(body), headers: [("X-Forwarded-For", installFrom)])
    return server.respond(to: report, at: "main", now: 1_800_000_000_000 + age).json ?? .null
  }

  @Test func aClickOfTheSameDeviceIsCredited() {
    let response = attribute("abc123")
    #expect(response["attributed"] == true && response["confidenceScore"] == 70)
    #expect(response["matchedFactors"] == ["ip", "user_agent"])
    #expect(response["deepLinkData"]?["shortCode"] == "abc123")
    #expect(response["deepLinkData"]?["clickedAt"] == "2027-01-15T08:00:00.000Z")
  }

  @Test(arguments: [
    ("hour01", hour, true), ("hour01", hour + 1, false), ("abc123", 168 * hour, true),
    ("abc123", 168 * hour + 1, false),
    ("qrtr01", 2160 * hour, true), ("qrtr01", 2160 * hour + 1, false),
  ])
  func aClickCountsUpToTheEndOfTheLinksWindow(_ code: String, _ age: Int, _ counts: Bool) {
    #expect(attribute(code, age: age)["attributed"] == .bool(counts))
    #expect(attribute(code, age: age, switches: [.attributionWindowIgnored])["attributed"] == true)
  }

  @Test(arguments: [(ServerDialect.spec, false), (.core121, true)])
  func theWindowOfTheReportCountsOnlyInTheSpecification(_ dialect: ServerDialect, _ counts: Bool) {
    let response = attribute("abc123", age: 2 * Self.hour, dialect: dialect, install: ["attributionWindowHours": 1])
    #expect(response["attributed"] == .bool(counts))
  }

  @Test(arguments: [
    ("203.0.113.200", true), ("203.0.114.9", false), ("::ffff:203.0.113.9", true), ("2001:db8::1", false),
  ])
  func theAddressIsNecessary(_ address: String, _ isNear: Bool) {
    #expect(attribute("abc123", installFrom: address)["attributed"] == .bool(isNear))
    let everything: JSON.Object = [
      "timezone": "Europe/Berlin", "language": "de-AT", "screenWidth": 100, "screenHeight": 200,
    ]
    let score = attribute("abc123", installFrom: address, install: everything)["confidenceScore"]
    #expect(score == (isNear ? 100 : 0))
  }

  @Test(arguments: [
    ("0.1.1.1", false), ("10.1.1.1", false), ("100.63.1.1", true), ("100.64.1.1", false), ("100.127.1.1", false),
    ("100.128.1.1", true), ("127.0.0.1", false), ("169.254.1.1", false), ("169.253.1.1", true), ("172.15.1.1", true),
    ("172.16.1.1", false), ("172.31.1.1", false), ("172.32.1.1", true), ("192.0.0.1", false), ("192.0.1.1", true),
    ("192.168.1.1", false), ("198.17.1.1", true), ("198.18.1.1", false), ("198.19.1.1", false), ("198.20.1.1", true),
    ("::", false), ("::1", false), ("fc00::1", false), ("fdff::1", false), ("fe80::1", false), ("febf::1", false),
    ("fec0::1", true), ("2001:db8:1:2::1", true), ("nonsense", false), ("1.2.3", false), ("1.2.3.256", false),
  ])
  func onlyPublicAddressesSpeakForADevice(_ address: String, _ isPublic: Bool) {
    #expect(NetworkAddress(address).isAttributable == isPublic)
    #expect(NetworkAddress(address).isNear(NetworkAddress(address)) == isPublic)
  }

  @Test(arguments: [
    ("2001:db8:1:2:3::4", "2001:db8:1:2:9::9", true), ("2001:db8:1:2::4", "2001:db8:1:3::4", false),
    ("198.51.100.1", "198.51.100.254", true), ("198.51.100.1", "198.51.101.1", false),
  ])
  func nearAddresses(_ left: String, _ right: String, _ areNear: Bool) {
    #expect(NetworkAddress(left).isNear(NetworkAddress(right)) == areNear)
  }

  @Test(arguments: [
    ("Mozilla (Linux; Android 14) Chrome/120 Safari/537", "linux|chrome"), ("App/1.0 iOS/17", "|"),
    ("Mozilla (iPhone) Safari/604", "iphone|safari"), ("", "|"),
  ])
  func userAgentsAreComparedByFamily(_ text: String, _ family: String) {
    let found = UserAgent(text).family
    #expect(found == family)
  }

  @Test func theNewestOfEqualClicksWins() {
    var server = LinkFortyServer(dialect: .core121)
    for code in ["abc123", "bare01"] {
      let click = HTTPRequest(
        method: "GET", target: "/api/sdk/v1/resolve/\(code)", headers: ["X-Forwarded-For": "203.0.113.9"])
      _ = server.respond(to: click, at: "main", now: 0)
    }
    let report = post(installPath, ["userAgent": ""], headers: [("X-Forwarded-For", "203.0.113.9")])
    for _ in 1...2 {
      #expect(server.respond(to: report, at: "main", now: 1).json?["deepLinkData"]?["shortCode"] == "bare01")
    }
  }

  /// An app's own user agent against the click of a browser on the same telephone; what the two agree in before is 50.
  @Test(
    arguments: [
      ("ExampleShop/2.4 iOS/17.4", ["platform": "iOS", "platformVersion": "17.5"], 80),
      ("ExampleShop/2.4 iOS/17.4", [:], 80), ("ExampleShop/2.4", ["platform": "iOS"], 70),
      ("ExampleShop/2.4", ["platform": "iOS", "platformVersion": "16"], 70),
      ("ExampleShop/2.4 Android/14", [:], 0),
      ("ExampleShop/2.4 iOS/17.4", ["screenWidth": 300, "screenHeight": 601], 90),
      ("ExampleShop/2.4 iOS/17.4", ["screenWidth": 300, "screenHeight": 650], 80),
      ("ExampleShop/2.4 iOS/17.4", ["screenWidth": 500, "screenHeight": 1000], 80),
    ] as [(String, JSON.Object, Int)])
  func anAppIsComparedWithABrowserByItsPlatform(
    _ agent: String, _ facts: JSON.Object, _ points: Int
  ) {
    let click = FingerprintMatcher.Device(
      address: NetworkAddress("81.1.1.9"), userAgent: UserAgent(SwitchScenario.safari), timezone: "Europe/Berlin",
      screenWidth: 100,
      screenHeight: 200)
    let install = FingerprintMatcher.Device(
      address: NetworkAddress("81.1.1.9"), userAgent: UserAgent(agent), timezone: "Europe/Berlin",
      screenWidth: facts["screenWidth"]?.int,
      screenHeight: facts["screenHeight"]?.int, platform: facts["platform"]?.string,
      platformVersion: facts["platformVersion"]?.string)
    #expect(FingerprintMatcher(crossesContexts: true).score(click, install).points == points)
    #expect(FingerprintMatcher(crossesContexts: false).score(click, install).points == 50)
  }
}
