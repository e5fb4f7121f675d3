import HTTPValues
import JSONKit

/// The visitors that a link accepts. An empty list accepts every visitor.
struct Targeting: Hashable, Sendable {
  /// Country codes in capitals, such as `DE`.
  var countries: [String] = []
  /// The devices, each as `ios`, `android` or `web`.
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

  /// Whether the link accepts the visitor who sends this request. The visitor's country follows from the client address
  /// of the request.
  func includes(_ request: HTTPRequest) -> Bool {
    let country = NetworkAddress(request.clientAddress).country ?? ""
    let language = request.headers["Accept-Language"]?.prefix(2).lowercased() ?? ""
    let device = UserAgent(request.headers["User-Agent"] ?? "").platform?.rawValue ?? "web"
    return Self.allows(countries, country) && Self.allows(devices, device) && Self.allows(languages, language)
  }

  private static func allows(_ list: [String], _ value: String) -> Bool { list.isEmpty || list.contains(value) }
}
