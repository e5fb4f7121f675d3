import JSONKit
import LinkFortyModel

/// A call that the app makes to the SDK.
package enum SDKCall: Hashable, Sendable {
  case initialize(ConfigurationRequest)
  case onDeferredDeepLink(handle: String)
  case onDeepLink(handle: String)
  case handleURL(String)
  /// A URL that arrives while the app runs. The platform makes this call, not the app.
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

  /// Whether the call is allowed before initialisation: callbacks and the user id may be set, data may be cleared, and
  /// the platform delivers URLs at any time.
  var worksUninitialized: Bool {
    switch self {
    case .initialize, .onDeferredDeepLink, .onDeepLink, .platformURL, .setExternalUserID, .externalUserID, .clearData,
      .reset:
      true
    default: false
    }
  }
}
