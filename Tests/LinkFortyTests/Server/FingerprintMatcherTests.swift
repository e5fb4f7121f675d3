import Testing

@testable import LinkFortyCore

@Suite struct FingerprintMatcherTests {
  private static let browser = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1"
  private static let app = "Shop/2.4 iOS/17.4"

  private static func device(at address: String, _ userAgent: String) -> FingerprintMatcher.Device {
    FingerprintMatcher.Device(
      address: NetworkAddress(address), userAgent: UserAgent(userAgent), timezone: "Europe/Berlin", language: "de",
      screenWidth: 390, screenHeight: 844, platform: "ios", platformVersion: "17.4")
  }

  /// The matcher skips a click that cannot reach the threshold. The prediction must allow every score that a comparison
  /// gives, even for two devices that differ only in their network.
  @Test(arguments: [(browser, browser), (browser, app), (app, app)], [true, false])
  func whatAComparisonComesToWasWithinReach(userAgents: (String, String), crossesContexts: Bool) {
    let matcher = FingerprintMatcher(crossesContexts: crossesContexts)
    let install = Self.device(at: "203.0.113.7", userAgents.1)
    for address in ["203.0.113.7", "203.0.113.9", "198.51.100.7", "10.0.0.1", ""] {
      let click = Self.device(at: address, userAgents.0)
      let points = matcher.score(click, install).points
      #expect(matcher.canReach(points, click.address, install.address), "\(points) points from \(address)")
    }
    let elsewhere = Self.device(at: "198.51.100.7", userAgents.0)
    #expect(!matcher.canReach(FingerprintMatcher.threshold, elsewhere.address, install.address))
    #expect(matcher.canReach(FingerprintMatcher.threshold, install.address, install.address))
  }
}
