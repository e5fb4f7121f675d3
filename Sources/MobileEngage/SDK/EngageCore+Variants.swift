import ConformanceModel
import JSONKit
import ReferenceKit

// What an SDK may do otherwise.
extension EngageCore {
  /// How long what failed rests, in milliseconds; nil where no timer ends it.
  static func pause(with switches: Switches<EngageSwitch>) -> Int? {
    if switches.has(.variantNoTimer) { return nil }
    return switches.has(.variantLongPause) ? 60_000 : Patience.retry
  }

  /// What an SDK with these switches declares: the longest pause that it makes before it tries again.
  package static func declared(with switches: Switches<EngageSwitch>) -> JSON.Object {
    pause(with: switches).map { ["retryWindowMs": .int($0)] } ?? [:]
  }

  func varied(_ request: OutgoingRequest) -> OutgoingRequest {
    var request = request
    if switches.has(.variantChunked), !request.request.body.isEmpty { request.isChunked = true }
    if switches.has(.variantSmallHeaders) {
      request.request.headers = HTTPHeaders(
        request.request.headers.fields.map { .init(name: $0.name.lowercased(), value: $0.value) })
    }
    return request
  }
}
