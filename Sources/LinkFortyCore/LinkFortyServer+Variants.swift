import HTTPValues
import JSONKit
import ReferenceKit

/// Answers refused requests. Legal variants change the status of such an answer.
extension LinkFortyServer {
  /// The answer to a request that is refused.
  func refused(_ refusal: Refusal, _ request: HTTPRequest) -> HTTPResponse {
    var response = refusal.response(in: dialect, to: request)
    response.status = status(of: refusal, request) ?? response.status
    if response.status == 405 { response.headers["Allow"] = methods(of: request.path).joined(separator: ", ") }
    return response
  }

  /// The status with which a variant answers the refused request; nil if the refusal keeps its own status.
  private func status(of refusal: Refusal, _ request: HTTPRequest) -> Int? {
    switch refusal {
    case .invalid where switches.has(.variantUnprocessable) && !dialect.isCore: 422
    case .noRoute where switches.has(.variantMethodNotAllowed) && !methods(of: request.path).isEmpty: 405
    default: nil
    }
  }

  /// Those of the methods GET and POST for which this path has a route.
  private func methods(of path: String) -> [String] {
    ["GET", "POST"].filter { Route(method: $0, path: path) != nil }
  }
}
