import HTTPValues
import JSONKit
import ReferenceKit

/// Refuses requests, and applies the legal variants of refusals.
extension LinkFortyServer {
  /// The answer to a request that is refused.
  func refused(_ refusal: Refusal, _ request: HTTPRequest) -> HTTPResponse {
    var response = refusal.response(in: dialect, to: request)
    response.status = status(of: refusal, request) ?? response.status
    if response.status == 405 { response.headers["Allow"] = methods(of: request.path).joined(separator: ", ") }
    return response
  }

  /// The status that a variant gives a refusal; nil if the refusal keeps its own status.
  private func status(of refusal: Refusal, _ request: HTTPRequest) -> Int? {
    switch refusal {
    case .invalid where switches.has(.variantUnprocessable) && !dialect.isCore: 422
    case .noRoute where switches.has(.variantMethodNotAllowed) && !methods(of: request.path).isEmpty: 405
    default: nil
    }
  }

  /// The methods for which this path has a route.
  private func methods(of path: String) -> [String] {
    ["GET", "POST"].filter { Route(method: $0, path: path) != nil }
  }
}
