import ReferenceKit

/// The exchanges that the SDK asks with.
package enum LinkFortyExchange: String, ExchangeList {
  case install, event, resolve, health
  case resolveTemplate = "resolve-template"
  case createLink = "create-link"
  case createLinkDashboard = "create-link-dashboard"

  package static let protocolName = "linkforty"
  /// Read once, at the start of the program that asks.
  package static let golden = GoldenRequests<Self>.carried()
}
