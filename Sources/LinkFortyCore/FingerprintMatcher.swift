import ReferenceKit

/// Computes how similar the device of a click and the device of an install are.
///
/// Source: the matching of Core, which the specification calls probabilistic and leaves open.
struct FingerprintMatcher: Hashable, Sendable {
  /// The known facts about a device, from a click or an install.
  struct Device: Hashable, Sendable {
    var address: NetworkAddress
    var userAgent: UserAgent
    var timezone: String?
    var language: String?
    var screenWidth: Int?
    var screenHeight: Int?
    var platform: String?
    var platformVersion: String?
  }

  /// The result of a comparison: 0 to 100 points, and the names of the facts in which both devices agree.
  struct Score: Hashable, Sendable {
    var points = 0
    var factors: [String] = []

    fileprivate mutating func count(_ factor: String, _ points: Int, _ agrees: Bool) {
      guard agrees else { return }
      self.points += points
      factors.append(factor)
    }
  }

  /// The highest score that a click and an install can have if the addresses of their devices do not match.
  private static let mostOfElsewhere = 60
  /// The lowest score at which an install is attributed to a click.
  static let threshold = 70

  /// Whether the comparison of an app with a browser uses the platform and its version rather than the user agent, and
  /// the proportions of the screen rather than its size. Versions of Core after 1.21 do so, since an app's user agent
  /// never equals a browser's, and browsers measure screens in points.
  var crossesContexts = true
  var switches = Switches<ServerSwitch>()

  /// Compares two devices.
  func score(_ click: Device, _ install: Device) -> Score {
    let isCrossed = crossesContexts && click.userAgent.isOfApp != install.userAgent.isOfApp
    if isCrossed, let left = click.knownPlatform, let right = install.knownPlatform, left != right { return Score() }
    var score = Score()
    score.count("ip", 40, areNear(click.address, install.address))
    if isCrossed {
      score.count("platform", 20, Self.agree(click.knownPlatform, install.knownPlatform))
      score.count("platform_version", 10, Self.agree(click.majorVersion, install.majorVersion))
    } else {
      score.count("user_agent", 30, click.userAgent.family == install.userAgent.family)
    }
    score.count(
      "timezone", 10, Self.agree(click.timezone, install.timezone) || switches.has(.attributionTimezoneIgnored))
    score.count("language", 10, Self.agree(language(click), language(install)))
    score.count("screen", 10, Self.haveSameScreen(click, install, acrossRatios: isCrossed))
    return score
  }

  /// Whether two devices with these addresses can reach this score. This check is faster than ``score(_:_:)``, and
  /// comes before it.
  func canReach(_ points: Int, _ click: NetworkAddress, _ install: NetworkAddress) -> Bool {
    points <= Self.mostOfElsewhere || areNear(click, install)
  }

  private func areNear(_ left: NetworkAddress, _ right: NetworkAddress) -> Bool {
    if switches.has(.attributionPrivateAddressesCount), left == right { return true }
    guard left.isNear(right) else {
      return switches.has(.attributionAddressesOfASixteen) && left.sharesSixteen(with: right)
    }
    return left == right || !switches.has(.attributionAddressExact)
  }

  /// Whether both values are known and equal.
  private static func agree(_ left: String?, _ right: String?) -> Bool { left != nil && left == right }

  /// Whether the sizes are equal. With `acrossRatios`, sizes also count as equal if width and height differ by the same
  /// factor, a device-pixel ratio of at most 4.
  private static func haveSameScreen(_ left: Device, _ right: Device, acrossRatios: Bool) -> Bool {
    guard let width = left.screenWidth, let height = left.screenHeight,
      let otherWidth = right.screenWidth, let otherHeight = right.screenHeight,
      width > 0, height > 0, otherWidth > 0, otherHeight > 0
    else { return false }
    if width == otherWidth, height == otherHeight { return true }
    let (wide, high) = (Double(otherWidth) / Double(width), Double(otherHeight) / Double(height))
    let areLikely = (0.25...4).contains(wide) && (0.25...4).contains(high)
    return acrossRatios && areLikely && abs(wide - high) <= 0.02 * max(1, wide)
  }

  private func language(_ device: Device) -> String? {
    guard let language = device.language, !language.isEmpty else { return nil }
    return switches.has(.attributionLanguageExact) ? language : language.prefix(2).lowercased()
  }
}

extension FingerprintMatcher.Device {
  /// The platform in lower case, from the app or from the user agent.
  fileprivate var knownPlatform: String? { platform?.lowercased() ?? userAgent.platform?.rawValue }

  fileprivate var majorVersion: String? {
    let told = platformVersion.map { String($0.prefix { $0.isASCII && $0.isNumber }) }
    return told?.isEmpty == false ? told : userAgent.majorVersion
  }
}
