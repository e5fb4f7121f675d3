/// What a user agent text says of the device, of a browser or of an app.
struct UserAgent: Hashable, Sendable {
  /// The platforms that apps run on.
  enum Platform: String, Sendable {
    case ios
    case android
  }

  private let text: String
  private let lower: String
  let platform: Platform?
  /// The first number of the platform's version.
  let majorVersion: String?
  /// The first platform and the first browser that the text names; two texts that name none are alike.
  let family: String

  /// Reads the text at once: each report of an install is compared with up to a thousand clicks.
  init(_ text: String) {
    self.text = text
    lower = text.lowercased()
    platform = Self.platform(of: lower, isOfApp: Self.isOfApp(text))
    majorVersion = Self.majorVersion(of: lower)
    family = Self.family(of: text)
  }

  /// Whether an app made the text up, such as `Shop/2.4 iOS/17.4`: browsers all begin alike.
  var isOfApp: Bool { Self.isOfApp(text) }

  private static func isOfApp(_ text: String) -> Bool { !text.isEmpty && !text.hasPrefix("Mozilla/") }

  private static func platform(of lower: String, isOfApp: Bool) -> Platform? {
    if ["iphone", "ipad", "ipod"].contains(where: { lower.contains($0) }) || isOfApp && lower.contains("ios/") {
      return .ios
    }
    return lower.contains("android") ? .android : nil
  }

  private static func majorVersion(of lower: String) -> String? {
    for mark in ["iphone os ", "cpu os ", "ios/", "android ", "android/"] {
      guard let found = lower.firstRange(of: mark) else { continue }
      let digits = lower[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty { return String(digits) }
    }
    return nil
  }

  /// Whether the browser belongs to another app, in which stores open badly.
  var isInAppBrowser: Bool { ["fban", "fbav", "instagram", "line/", "micromessenger"].contains { lower.contains($0) } }

  private static func family(of text: String) -> String {
    func first(of words: [String]) -> String {
      let found = words.compactMap { word in text.firstRange(of: word).map { (word, $0.lowerBound) } }
      return found.min { $0.1 < $1.1 }?.0.lowercased() ?? ""
    }
    let platform = first(of: ["iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"])
    return platform + "|" + first(of: ["Chrome", "Safari", "Firefox", "Edge", "Opera"])
  }
}
