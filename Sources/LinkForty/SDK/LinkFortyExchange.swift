import ReferenceKit

/// The exchanges of the protocol whose requests the SDK sends. Their golden files contain the methods and paths.
package enum LinkFortyExchange: String, ExchangeList {
  case install, event, resolve, health
  case resolveTemplate = "resolve-template"
  case createLink = "create-link"
  case createLinkDashboard = "create-link-dashboard"

  package static let protocolName = "linkforty"
  /// The methods and paths in the golden files. A file is read when its exchange is first used.
  package static let golden = GoldenRequests<Self>.carried()
}
