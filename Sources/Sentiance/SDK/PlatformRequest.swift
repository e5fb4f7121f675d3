import HTTPValues
import JSONKit
import ReferenceKit

/// A kind of request of the SDK to the platform, with the values that it needs.
enum PlatformRequest: Hashable, Sendable {
  /// The app's call or the initialisation that waits until the configuration is refreshed, if anything waits.
  enum RefreshWaiter: Hashable, Sendable {
    case nobody
    case app(Int)
    case initialization
  }

  case create(Creation, attempt: String)
  case confirm
  case redeem(code: String)
  case configuration(RefreshWaiter)
  case renewToken
  case announceReset
}

/// Writes the requests of the SDK. Source: the golden exchanges `sdk-…`, since no document describes the requests.
struct RequestWriter: Sendable {
  let facts: DeviceFacts
  let platformURL: String
  /// The user's token; nil for a request that needs no token, such as a creation.
  let token: AccessToken?

  /// The HTTP request; nil if `platformURL` is invalid.
  func request(_ wanted: PlatformRequest) -> OutgoingRequest? {
    switch wanted {
    case .create(let creation, let attempt):
      let members = creation.proofMembers + facts.members + [("attempt_id", .string(attempt))]
      return write(.create, .object(compact: members))
    case .confirm: return write(.person)
    case .redeem(let code): return write(.redeem, ["authentication_code": .string(code)])
    case .configuration: return write(.configuration)
    case .renewToken: return write(.token)
    case .announceReset: return write(.reset, [:])
    }
  }

  private func write(_ exchange: SentianceExchange, _ body: JSON? = nil) -> OutgoingRequest? {
    let line = SentianceExchange.golden.line(of: exchange)
    guard let address = ServiceAddress(platformURL) else { return nil }
    var headers: HTTPHeaders = [
      "Accept": "application/json",
      "User-Agent": "Sentiance/\(DeviceFacts.sdkVersion) (\(facts.os); \(facts.model))",
    ]
    headers["Authorization"] = token.map { "Bearer \($0.id)" }
    if body != nil { headers["Content-Type"] = "application/json" }
    return OutgoingRequest(
      to: address.endpoint,
      HTTPRequest(
        method: line.method, target: address.target(line.path), headers: headers, body: body?.compactBytes ?? []))
  }
}
