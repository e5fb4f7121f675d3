import HTTPValues
import JSONKit
import ReferenceKit

/// The switches for the legal variants of refusals.
extension LinkFortyServer {
  /// The answer to a request that is refused.
  func refused(_ refusal: Refusal, _ request: HTTPRequest) -> HTTPResponse {
    var response = refusal.response(in: dialect, to: request)
    response.status = status(of: refusal, request) ?? response.status
    if response.status == 405 { response.headers["Allow"] = methods(of: request.path).joined(separator: ", ") }
    return response
  }

  /// The status that a switch gives a refusal; nil for its own.
  private func status(of refusal: Refusal, _ request: HTTPRequest) -> Int? {
    switch refusal {
    case .invalid where switches.has(.variantUnprocessable) && !dialect.isCore: 422
    case .noRoute where switches.has(.variantMethodNotAllowed) && !methods(of: request.path).isEmpty: 405
    default: nil
    }
  }

  /// The methods that have a route of this path.
  private func methods(of path: String) -> [String] {
    ["GET", "POST"].filter { Route(method: $0, path: path) != nil }
  }
}
