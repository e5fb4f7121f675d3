import ReferenceKit

/// The exchanges that the SDK and the backend ask with.
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
  /// Read once, at the start of the program that asks.
  package static let golden = GoldenRequests<Self>.carried()
}
