import ConformanceModel
import JSONKit
import ReferenceKit

/// Writes the requests of an application. Source: the endpoints of the v3 API.
struct RequestWriter: Sendable {
  let applicationCode: String
  let services: ServiceURLs
  let device: DeviceProperties
  let client: ClientRecord
  /// Whether messages in the app are paused, which reports say.
  let isPaused: Bool
  /// Whether a registration says under which contact it is made.
  let registersWithToken: Bool

  /// The request for one that waited; nil where the app has no address for its service.
  func request(for purpose: WaitingRequest.Purpose) -> OutgoingRequest? {
    switch purpose {
    case .register: post(services.client, "/client", device.body, withToken: registersWithToken)
    case .linkAnonymous: post(services.client, "/client/contact?anonymous=true", [:], withToken: false)
    case .link(let identity):
      post(services.client, "/client/contact", identity.representation.object ?? [:], withToken: false)
    case .registerPushToken(let token):
      request("PUT", services.client, application + "/client/push-token", ["pushToken": .string(token)])
    case .clearPushToken: request("DELETE", services.client, application + "/client/push-token")
    case .report(let event): post(services.events, "/client/events", report(event), withToken: true)
    case .fetchInbox: services.inbox.flatMap { request("GET", $0, application + "/inbox") }
    case .fetchGeofences: request("GET", services.client, application + "/geo-fences")
    case .reportDeepLink(let link): services.deepLink.flatMap { deepLink($0, link) }
    }
  }

  /// The order of a new contact token. The one that has expired stays at home.
  func refresh(_ token: String) -> OutgoingRequest? {
    post(services.client, "/client/contact-token", ["refreshToken": .string(token)], withToken: false)
  }

  private var application: String { "/v3/apps/\(PercentEncoding.encode(applicationCode))" }

  private func report(_ event: TrackedEvent) -> JSON.Object {
    var body: JSON.Object = ["events": [event.representation], "clicks": [], "viewedMessages": []]
    if isPaused { body["dnd"] = true }
    return body
  }

  /// The deep-link service is no party to what client and contact services know: it learns the link alone.
  private func deepLink(_ base: String, _ link: String) -> OutgoingRequest? {
    guard let address = ServiceAddress(base) else { return nil }
    return OutgoingRequest(
      to: address.endpoint,
      HTTPRequest(
        method: "POST", target: address.target("/api/clicks"),
        headers: ["Content-Type": "application/json", "User-Agent": "Emarsys SDK \(device.sdkVersion)"],
        body: JSON.object(["ems_dl": .string(link)]).compactBytes))
  }

  private func post(_ base: String, _ path: String, _ body: JSON.Object, withToken: Bool) -> OutgoingRequest? {
    request("POST", base, application + path, body, withToken: withToken)
  }

  private func request(
    _ method: String, _ base: String, _ path: String, _ body: JSON.Object? = nil, withToken: Bool = true
  ) -> OutgoingRequest? {
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
        method: method, target: address.target(path), headers: headers,
        body: body.map { JSON.object($0).compactBytes } ?? []))
  }
}
