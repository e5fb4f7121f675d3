import HTTPValues
import JSONKit
import ReferenceKit

/// A call that the backend makes to the platform for one of its users. Source: the REST API.
package enum PlatformCall: Hashable, Sendable {
  case link(installID: String, externalID: String)
  case issueCode(externalID: String)
  case deleteUser(sentianceID: String, externalID: String)

  /// The request for the call. It contains the API key that the call needs. No other code sends the API keys.
  package func request(_ settings: BackendSettings) -> OutgoingRequest {
    switch self {
    case .link(let installID, let externalID):
      // The id is one segment of the path, whatever characters it has.
      let line = SentianceExchange.golden.line(of: .link, ["installId": installID])
      return Self.write(line, settings.apiKey, naming: externalID, settings.platform)
    case .issueCode(let externalID):
      let line = SentianceExchange.golden.line(of: .issueCode)
      return Self.write(line, settings.apiKey, naming: externalID, settings.platform)
    case .deleteUser(let sentianceID, _):
      let line = SentianceExchange.golden.line(of: .deleteUser, ["userId": sentianceID])
      return Self.write(line, settings.deleteKey ?? "", naming: nil, settings.platform)
    }
  }

  private static func write(
    _ line: GoldenRequests<SentianceExchange>.Line, _ key: String, naming externalID: String?,
    _ platform: ServiceAddress
  ) -> OutgoingRequest {
    var request = HTTPRequest(
      method: line.method, target: platform.target(line.path),
      headers: ["Authorization": "Bearer \(key)", "Accept": "application/json"])
    if let externalID {
      request.headers["Content-Type"] = "application/json"
      request.body = JSON.object(["external_id": .string(externalID)]).compactBytes
    }
    return OutgoingRequest(to: platform.endpoint, request)
  }
}
