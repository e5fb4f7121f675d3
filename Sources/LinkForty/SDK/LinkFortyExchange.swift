import ReferenceKit

/// The golden exchanges whose requests the SDK sends.
package enum LinkFortyExchange: String, ExchangeList {
  case install, event, resolve, health
  case resolveTemplate = "resolve-template"
  case createLink = "create-link"
  case createLinkDashboard = "create-link-dashboard"

  package static let protocolName = "linkforty"
  /// The golden requests. They are read once, at their first use.
  package static let golden = GoldenRequests<Self>.carried()
}
