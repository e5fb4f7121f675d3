import ConformanceModel
import JSONKit

/// What an app asks of the SDK.
package enum SDKCall: Hashable, Sendable {
  case initialize(ConfigurationRequest)
  case onDeferredDeepLink(handle: String)
  case onDeepLink(handle: String)
  case handleURL(String)
  /// The platform's doing, not the app's: a URL that comes while the app runs.
  case platformURL(String)
  case trackEvent(name: String, properties: JSON.Object?)
  /// The amount is a decimal number as text, so that no digit is lost.
  case trackRevenue(amount: String, currency: String, properties: JSON.Object?)
  case createLink(CreateLinkOptions)
  case setExternalUserID(String?)
  case externalUserID
  case installID
  case installData
  case isFirstLaunch
  case flush
  case queueSize
  case clearQueue
  case clearData
  case reset

  /// Whether the call makes sense without initialisation: callbacks and the user id may be set, data wiped, and the
  /// platform does not ask.
  var worksUninitialized: Bool {
    switch self {
    case .initialize, .onDeferredDeepLink, .onDeepLink, .platformURL, .setExternalUserID, .externalUserID, .clearData,
      .reset:
      true
    default: false
    }
  }
}
