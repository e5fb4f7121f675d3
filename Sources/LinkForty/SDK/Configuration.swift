import ConformanceModel
import JSONKit

/// What an app hands to `initialize`, not yet checked.
package struct ConfigurationRequest: Hashable, Sendable {
  package var baseUrl: String
  package var apiKey: String?
  package var appToken: String?
  package var debug: Bool
  /// Any JSON, since callers of dynamic languages hand over anything; nil for the default.
  package var attributionWindowHours: JSON?
  /// An advertising id, which the app may hand over once the user has consented.
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

/// A configuration that may be used. Source: section 11 of the specification.
package struct Configuration: Hashable, Sendable {
  /// What is allowed. The defaults are the rules; defects bend them.
  struct Rules: Hashable, Sendable {
    var baseURL = BaseURL.Rules()
    /// Hours.
    var window = 1...2160
    var truncatesWindow = false
    var keepsEmptyKey = false
  }

  /// Hours, where the app names none.
  private static let defaultWindow = 168

  package var baseURL: BaseURL
  /// nil without a key; an empty one counts as none.
  package var apiKey: String?
  package var appToken: String?
  package var isDebugging: Bool
  /// How far back an install may be matched to a click, in hours.
  package var attributionWindowHours: Int
  package var deviceId: String?

  /// Checks everything, before anything is sent or stored.
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
