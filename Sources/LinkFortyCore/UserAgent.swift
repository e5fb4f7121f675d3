/// The facts about a device that a user agent contains. An app or a browser sends the user agent.
package struct UserAgent: Hashable, Sendable {
  /// The platforms that apps run on.
  package enum Platform: String, Sendable {
    case ios
    case android
  }

  /// The UTF-8 bytes of the text. Bytes are searched faster than characters, and the searched words are ASCII.
  private let text: [UInt8]
  private let lower: [UInt8]
  let platform: Platform?
  /// The major version of the platform.
  let majorVersion: String?
  /// The first platform and the first browser that the text names. All texts that name neither a platform nor a browser
  /// have the same family.
  let family: String

  /// Parses the text. It is parsed only once, since each report of an install is compared with up to a thousand clicks.
  init(_ text: String) {
    self.text = Array(text.utf8)
    lower = Array(text.lowercased().utf8)
    platform = Self.platform(of: lower, isOfApp: Self.isOfApp(self.text))
    majorVersion = Self.majorVersion(of: lower)
    family = Self.family(of: self.text)
  }

  /// Whether the text is the user agent of an app, such as `Shop/2.4 iOS/17.4`. The user agents of browsers all begin
  /// with `Mozilla/`.
  var isOfApp: Bool { Self.isOfApp(text) }

  private static func isOfApp(_ text: [UInt8]) -> Bool { !text.isEmpty && !text.starts(with: "Mozilla/".utf8) }

  private static func platform(of lower: [UInt8], isOfApp: Bool) -> Platform? {
    if ["iphone", "ipad", "ipod"].contains(where: lower.contains) || isOfApp && lower.contains("ios/") { return .ios }
    return lower.contains("android") ? .android : nil
  }

  private static func majorVersion(of lower: [UInt8]) -> String? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    for mark in ["iphone os ", "cpu os ", "ios/", "android ", "android/"] {
      guard let start = lower.offset(of: mark) else { continue }
      let number = lower[(start + mark.utf8.count)...].prefix { digits.contains($0) }
      if !number.isEmpty { return String(decoding: number, as: UTF8.self) }
    }
    return nil
  }

  /// Whether the browser is part of another app. App stores do not open reliably from such browsers.
  var isInAppBrowser: Bool { ["fban", "fbav", "instagram", "line/", "micromessenger"].contains(where: lower.contains) }

  private static func family(of text: [UInt8]) -> String {
    func first(of words: [String]) -> String {
      let found = words.compactMap { word in text.offset(of: word).map { (word, $0) } }
      return found.min { $0.1 < $1.1 }?.0.lowercased() ?? ""
    }
    let platform = first(of: ["iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"])
    return platform + "|" + first(of: ["Chrome", "Safari", "Firefox", "Edge", "Opera"])
  }
}

extension [UInt8] {
  /// The offset of the first occurrence of a word; nil if the text does not contain the word. The word must not be
  /// empty.
  fileprivate func offset(of word: String) -> Int? {
    let word = word.utf8
    return indices.dropLast(word.count - 1).first { start in
      self[start] == word.first && self[start...].starts(with: word)
    }
  }

  fileprivate func contains(_ word: String) -> Bool { offset(of: word) != nil }
}
