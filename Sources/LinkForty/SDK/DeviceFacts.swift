import JSONKit

/// The facts about the device and the app that the SDK reads.
package struct DeviceFacts: Hashable, Sendable {
  /// The IANA identifier of the time zone.
  package var timezone = "America/New_York"
  package var language = "en-US"
  package var platform = "iOS"
  package var platformVersion = "17.4"
  package var appName = "ExampleShop"
  package var appVersion = "2.4.1"
  /// The user agent of the platform; nil if the SDK composes the user agent.
  package var customUserAgent: String?
  /// The width in points.
  package var screenWidth = 1179.0
  /// The height in points.
  package var screenHeight = 2556.0
  /// The number of native pixels for each point.
  package var scale = 1.0

  package init() {}

  /// The user agent that the SDK reports: ``customUserAgent`` or, if this is nil, the names and versions of the app and
  /// the platform.
  package var userAgent: String { customUserAgent ?? "\(appName)/\(appVersion) \(platform)/\(platformVersion)" }

  /// The width in native pixels.
  package var pixelWidth: Int { Int((screenWidth * scale).rounded()) }
  /// The height in native pixels.
  package var pixelHeight: Int { Int((screenHeight * scale).rounded()) }

  /// Updates the facts that the object names; throws for a wrong type.
  package mutating func take(_ facts: JSONField) throws(JSONField.Problem) {
    timezone = try facts.text("timezone") ?? timezone
    language = try facts.text("language") ?? language
    platform = try facts.text("platform") ?? platform
    platformVersion = try facts.text("platformVersion") ?? platformVersion
    appVersion = try facts.text("appVersion") ?? appVersion
    customUserAgent = try facts.text("userAgent") ?? customUserAgent
    screenWidth = try facts.optional("screenWidth")?.double() ?? screenWidth
    screenHeight = try facts.optional("screenHeight")?.double() ?? screenHeight
    scale = try facts.optional("scale")?.double() ?? scale
  }
}
