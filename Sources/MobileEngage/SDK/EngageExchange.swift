import ReferenceKit

/// The golden exchanges whose requests the SDK sends.
package enum EngageExchange: String, ExchangeList {
  case client, contact, events, inbox, geofences
  case contactToken = "contact-token"
  case pushToken = "push-token"
  case clearPushToken = "clear-push-token"
  case deepLink = "deep-link"

  package static let protocolName = "mobile-engage"
  /// The golden requests. They are read once, at their first use.
  package static let golden = GoldenRequests<Self>.carried()
}
