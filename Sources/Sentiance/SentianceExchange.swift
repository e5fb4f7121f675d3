import ReferenceKit

/// The golden exchanges whose requests the SDK and the backend send.
package enum SentianceExchange: String, ExchangeList {
  case create = "sdk-create"
  case person = "sdk-person"
  case redeem = "sdk-link"
  case configuration = "sdk-config"
  case token = "sdk-token"
  case reset = "sdk-reset"
  case link
  case issueCode = "auth-code"
  case deleteUser = "delete-user"

  package static let protocolName = "sentiance"
  /// The golden requests of Sentiance. Each request is read from its file when it is used for the first time.
  package static let golden = GoldenRequests<Self>.carried()
}
