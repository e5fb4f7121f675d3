import JSONKit
import ReferenceKit

// Variants: behaviour in which an SDK may differ.
extension EngageCore {
  /// The pause after a temporary failure, in milliseconds; nil if the SDK has no timer for this pause.
  static func pause(with switches: Switches<EngageSwitch>) -> Int? {
    if switches.has(.variantNoTimer) { return nil }
    if switches.has(.noPause) { return 100 }
    return switches.has(.variantLongPause) ? 60_000 : Patience.retry
  }

  /// The values that an SDK with these switches declares to the kit. `retryWindowMs` is the longest pause before the
  /// SDK repeats a request.
  package static func declared(with switches: Switches<EngageSwitch>) -> JSON.Object {
    pause(with: switches).map { ["retryWindowMs": .int($0)] } ?? [:]
  }

  func varied(_ request: OutgoingRequest) -> OutgoingRequest {
    var request = request
    if switches.has(.variantChunked) { request.chunk() }
    if switches.has(.variantClosedConnections) { request.closeConnection() }
    if switches.has(.variantSmallHeaders) { request.request.headers.lowerCaseNames() }
    return request
  }
}
