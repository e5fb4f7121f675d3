import ConformanceModel
import JSONKit
import ReferenceKit

/// Where the legal variants of every answer are switched on.
extension LinkFortyServer {
  func varied(_ response: HTTPResponse) -> HTTPResponse {
    var variation = AnswerVariation()
    variation.plainContentType = switches.has(.variantPlainContentType)
    variation.lowerCaseHeaders = switches.has(.variantLowerCaseHeaders)
    variation.extraMembers = switches.has(.variantExtraMembers)
    variation.reversedMembers = switches.has(.variantReversedMembers)
    return variation.applied(to: response)
  }

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
