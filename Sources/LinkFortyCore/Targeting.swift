import HTTPValues
import JSONKit

/// Whom a link is for; an empty list is for everybody.
struct Targeting: Hashable, Sendable {
  /// In capitals, such as `DE`.
  var countries: [String] = []
  /// `ios`, `android` and `web`.
  var devices: [String] = []
  /// Primary languages in lower case, such as `de`.
  var languages: [String] = []

  init() {}

  /// Reads Core's `targetingRules`.
  init(_ rules: JSON?) {
    func texts(_ key: String) -> [String] { (rules?[key]?.array ?? []).compactMap(\.string) }
    countries = texts("countries").map { $0.uppercased() }
    devices = texts("devices")
    languages = texts("languages").map { $0.prefix(2).lowercased() }
  }

  /// Whether the visitor who opens the link is among them. The country is that of the visitor's network.
  func includes(_ request: HTTPRequest) -> Bool {
    let country = NetworkAddress(request.clientAddress).country ?? ""
    let language = request.headers["Accept-Language"]?.prefix(2).lowercased() ?? ""
    let device = UserAgent(request.headers["User-Agent"] ?? "").platform?.rawValue ?? "web"
    return Self.allows(countries, country) && Self.allows(devices, device) && Self.allows(languages, language)
  }

  private static func allows(_ list: [String], _ value: String) -> Bool { list.isEmpty || list.contains(value) }
}
