import ConformanceModel
import JSONKit
import ReferenceKit

/// Where the legal variants of refusals are switched on.
extension LinkFortyServer {
  /// The answer to a request that is refused.
  func refused(_ refusal: Refusal, _ request: HTTPRequest) -> HTTPResponse {
    var response = refusal.response(in: dialect, to: request)
    response.status = status(of: refusal, request) ?? response.status
    return response
  }

  /// The status that a switch gives a refusal; nil for its own.
  private func status(of refusal: Refusal, _ request: HTTPRequest) -> Int? {
    switch refusal {
    case .invalid where switches.has(.variantUnprocessable) && !dialect.isCore: 422
    case .noRoute where switches.has(.variantMethodNotAllowed) && isKnown(request.path): 405
    default: nil
    }
  }

  /// Whether another method has a route of this path.
  private func isKnown(_ path: String) -> Bool {
    ["GET", "POST"].contains { Route(method: $0, path: path) != nil }
  }
}
