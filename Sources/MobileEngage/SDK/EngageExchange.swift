import ReferenceKit

/// The exchanges of the protocol whose requests the SDK sends. Their golden files contain the methods and paths.
package enum EngageExchange: String, ExchangeList {
  case client, contact, events, inbox, geofences
  case contactToken = "contact-token"
  case pushToken = "push-token"
  case clearPushToken = "clear-push-token"
  case deepLink = "deep-link"

  package static let protocolName = "mobile-engage"
  /// The methods and paths in the golden files. A file is read when its exchange is first used.
  package static let golden = GoldenRequests<Self>.carried()
}
