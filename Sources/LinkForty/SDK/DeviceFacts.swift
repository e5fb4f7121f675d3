import ConformanceModel

/// What the SDK reads from the device and the app it runs in.
public struct DeviceFacts: Hashable, Sendable {
  /// IANA identifier.
  public var timezone = "America/New_York"
  public var language = "en-US"
  public var platform = "iOS"
  public var platformVersion = "17.4"
  public var appName = "ExampleShop"
  public var appVersion = "2.4.1"
  /// The user agent, when the platform has one of its own.
  public var customUserAgent: String?
  /// In points.
  public var screenWidth = 1179.0
  /// In points.
  public var screenHeight = 2556.0
  /// Native pixels for each point.
  public var scale = 1.0

  public init() {}

  /// App and version, platform and version: what the models call a user agent.
  public var userAgent: String { customUserAgent ?? "\(appName)/\(appVersion) \(platform)/\(platformVersion)" }

  /// The width in native pixels.
  public var pixelWidth: Int { Int((screenWidth * scale).rounded()) }
  /// The height in native pixels.
  public var pixelHeight: Int { Int((screenHeight * scale).rounded()) }

  /// Takes over those facts that the object names; throws for one of the wrong type.
  public mutating func take(_ facts: JSONField) throws(JSONField.Problem) {
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
