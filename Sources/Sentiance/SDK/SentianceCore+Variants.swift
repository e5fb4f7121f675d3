import JSONKit
import ReferenceKit

// Variants: behaviour in which an SDK may differ.
extension SentianceCore {
  /// The values that the SDK declares to the kit. `retryWindowMs` is 0, since the SDK never repeats a request by
  /// itself.
  package static var declared: JSON.Object { ["retryWindowMs": 0] }

  var linkerPatience: Int { switches.has(.variantShortLinker) ? 30_000 : Patience.linker }

  var keepsInstall: Bool { switches.has(.variantKeptInstall) }

  func varied(_ failure: SentianceFailure) -> SentianceFailure {
    var failure = failure
    if switches.has(.variantUnexpectedRefusal), failure.reason == .serverError,
      failure.refusal.map({ $0.status < 500 && !$0.isTemporary }) == true
    {
      failure.reason = .unexpectedError
    }
    return failure
  }

  func varied(_ request: OutgoingRequest) -> OutgoingRequest {
    var request = request
    if switches.has(.variantChunked) { request.chunk() }
    if switches.has(.variantClosedConnections) { request.closeConnection() }
    if switches.has(.variantSmallHeaders) { request.request.headers.lowerCaseNames() }
    return request
  }
}
