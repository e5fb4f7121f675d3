import ReferenceKit

/// The exchanges that the SDK asks with.
package enum EngageExchange: String, ExchangeList {
  case client, contact, events, inbox, geofences
  case contactToken = "contact-token"
  case pushToken = "push-token"
  case clearPushToken = "clear-push-token"
  case deepLink = "deep-link"

  package static let protocolName = "mobile-engage"
  /// Read once, at the start of the program that asks.
  package static let golden = GoldenRequests<Self>.carried()
}
