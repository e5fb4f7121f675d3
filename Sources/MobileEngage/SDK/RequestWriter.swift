import HTTPValues
import JSONKit
import ReferenceKit

/// Builds the HTTP requests of the SDK for one application code. The documentation of the API's endpoints
/// describes these requests.
struct RequestWriter: Sendable {
  let applicationCode: String
  let services: ServiceURLs
  let device: DeviceProperties
  let client: ClientRecord
  let events: EventsVersion
  /// Whether in-app messages are paused. Reports of events contain this fact (`dnd`).
  let isPaused: Bool
  /// The timestamp of all events, or nil if each event keeps its own timestamp. Only a defect sets it.
  let stamp: String?
  /// Whether a registration contains the contact token.
  let registersWithToken: Bool

  /// The HTTP request for a purpose; nil if the app has no address of the service that receives it.
  func request(for purpose: WaitingRequest.Purpose) -> OutgoingRequest? {
    switch purpose {
    case .register: request(.client, services.client, device.body, withToken: registersWithToken)
    case .linkAnonymous: request(.contact, services.client, query: "?anonymous=true", [:], withToken: false)
    case .link(let identity):
      request(.contact, services.client, identity.representation.object ?? [:], withToken: false)
    case .registerPushToken(let token):
      request(.pushToken, services.client, ["pushToken": .string(token)])
    case .clearPushToken: request(.clearPushToken, services.client)
    case .report(let event): request(.events, services.events, report(event))
    case .fetchInbox: services.inbox.flatMap { request(.inbox, $0) }
    case .fetchGeofences: request(.geofences, services.client)
    case .reportDeepLink(let link): services.deepLink.flatMap { deepLink($0, link) }
    }
  }

  /// The request for a new contact token. It does not contain the expired token.
  func refresh(_ token: String) -> OutgoingRequest? {
    request(.contactToken, services.client, ["refreshToken": .string(token)], withToken: false)
  }

  private func report(_ event: TrackedEvent) -> JSON.Object {
    var event = event
    event.timestamp = stamp ?? event.timestamp
    var body: JSON.Object = ["events": [event.representation], "clicks": [], "viewedMessages": []]
    if isPaused { body["dnd"] = true }
    if events.hasDeviceState, let state = client.deviceEventState { body["deviceEventState"] = .object(state) }
    return body
  }

  /// The request to the deep-link service. It contains only the link, and no client state, token or order.
  private func deepLink(_ base: String, _ link: String) -> OutgoingRequest? {
    guard let address = ServiceAddress(base) else { return nil }
    let line = EngageExchange.golden.line(of: .deepLink)
    return OutgoingRequest(
      to: address.endpoint,
      HTTPRequest(
        method: line.method, target: address.target(line.path),
        headers: ["Content-Type": "application/json", "User-Agent": "Emarsys SDK \(device.sdkVersion)"],
        body: JSON.object(["ems_dl": .string(link)]).compactBytes))
  }

  private func request(
    _ exchange: EngageExchange, _ base: String, query: String = "", _ body: JSON.Object? = nil, withToken: Bool = true
  ) -> OutgoingRequest? {
    let line = EngageExchange.golden.line(of: exchange, in: events.dialect, ["applicationCode": applicationCode])
    guard let address = ServiceAddress(base) else { return nil }
    var headers: HTTPHeaders = [
      "X-Client-Id": client.clientID ?? "", "X-Request-Order": String(client.lastOrder),
      "X-EMARSYS-SDK-VERSION": device.sdkVersion, "X-EMARSYS-SDK-MODE": "production",
      "Content-Type": "application/json", "Accept": "application/json",
    ]
    headers["X-Client-State"] = client.clientState
    if withToken { headers["X-Contact-Token"] = client.contactToken }
    return OutgoingRequest(
      to: address.endpoint,
      HTTPRequest(
        method: line.method, target: address.target(line.path) + query, headers: headers,
        body: body.map { JSON.object($0).compactBytes } ?? []))
  }
}
