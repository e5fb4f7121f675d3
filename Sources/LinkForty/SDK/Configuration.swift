import JSONKit

/// The argument of `initialize` before validation.
package struct ConfigurationRequest: Hashable, Sendable {
  package var baseUrl: String
  package var apiKey: String?
  package var appToken: String?
  package var debug: Bool
  /// The value can be any JSON, since callers in dynamic languages can pass any value. nil selects the default.
  package var attributionWindowHours: JSON?
  /// An advertising id, which the app may pass after the user has consented.
  package var deviceId: String?

  package init(
    baseUrl: String, apiKey: String? = nil, appToken: String? = nil, debug: Bool = false,
    attributionWindowHours: JSON? = nil, deviceId: String? = nil
  ) {
    self.baseUrl = baseUrl
    self.apiKey = apiKey
    self.appToken = appToken
    self.debug = debug
    self.attributionWindowHours = attributionWindowHours
    self.deviceId = deviceId
  }
}

/// A valid configuration. Source: section 11 of the specification.
package struct Configuration: Hashable, Sendable {
  /// The constraints on the values. The default constraints follow the specification; defects change them.
  struct Rules: Hashable, Sendable {
    var baseURL = BaseURL.Rules()
    /// The allowed attribution windows, in hours.
    var window = 1...2160
    var truncatesWindow = false
    var keepsEmptyKey = false
  }

  /// The attribution window if the app does not set one, in hours.
  private static let defaultWindow = 168

  package var baseURL: BaseURL
  /// The key; nil if the app sets no key or an empty key.
  package var apiKey: String?
  package var appToken: String?
  package var isDebugging: Bool
  /// The longest time between a click and an install, in hours. A later install is not attributed to the click.
  package var attributionWindowHours: Int
  package var deviceId: String?

  /// Validates all values, before the SDK sends or stores anything.
  init(_ request: ConfigurationRequest, rules: Rules = Rules()) throws(SDKError) {
    baseURL = try BaseURL(request.baseUrl, rules: rules.baseURL)
    attributionWindowHours = try Configuration.window(request.attributionWindowHours, rules)
    apiKey = request.apiKey.flatMap { $0.isEmpty && !rules.keepsEmptyKey ? nil : $0 }
    appToken = request.appToken
    isDebugging = request.debug
    deviceId = request.deviceId
  }

  private static func window(_ value: JSON?, _ rules: Rules) throws(SDKError) -> Int {
    guard let value, !value.isNull else { return defaultWindow }
    let truncated = rules.truncatesWindow ? value.number.map { Int($0.double) } : nil
    guard let hours = value.int ?? truncated, rules.window.contains(hours) else {
      throw SDKError(
        .invalidConfiguration,
        "attributionWindowHours must be a whole number from 1 to 2160, found \(value.excerpt)")
    }
    return hours
  }
}
