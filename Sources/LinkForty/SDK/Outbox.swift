import ConformanceModel
import JSONKit
import ReferenceKit

/// Makes the requests of a configuration. Source: "API Endpoints Reference".
struct Outbox: Sendable {
  let configuration: Configuration
  let device: DeviceFacts
  let seams: SDKSeams
  /// The user that was set; no request but the order of a link may name it.
  let user: String?

  /// The report of the install: the device's fingerprint, and what the app configured.
  func install() -> OutgoingRequest {
    let fingerprint = DeviceFingerprint(
      userAgent: device.userAgent, timezone: device.timezone, language: device.language,
      screenWidth: device.pixelWidth, screenHeight: device.pixelHeight, platform: device.platform,
      platformVersion: device.platformVersion, appVersion: device.appVersion, deviceId: configuration.deviceId,
      attributionWindowHours: configuration.attributionWindowHours)
    var body = fingerprint.representation.object ?? [:]
    body["appToken"] = configuration.appToken.map(JSON.string)
    return post("/api/sdk/v1/install", seams.bent(install: body, device))
  }

  func event(_ event: TrackedEvent) -> OutgoingRequest {
    post(seams.path(of: event), seams.bent(event: event.representation.object ?? [:], configuration, user: user))
  }

  /// The question what a link leads to; `path` is its one or two segments, decoded.
  func resolve(_ path: [String]) -> OutgoingRequest {
    let fingerprint = seams.bent(fingerprint: [
      ("fp_tz", device.timezone), ("fp_lang", device.language), ("fp_sw", String(device.pixelWidth)),
      ("fp_sh", String(device.pixelHeight)), ("fp_platform", device.platform), ("fp_pv", device.platformVersion),
    ])
    let query = fingerprint.map { "\($0)=\(seams.encoded($1))" }.joined(separator: "&")
    return request("GET", seams.target(resolving: path, query))
  }

  /// The order of a link. The template decides the endpoint; its slug is only for the link's URL.
  func createLink(_ options: CreateLinkOptions) -> OutgoingRequest {
    var body = seams.options(options, user: user)
    body.templateSlug = nil
    let path = seams.asksSimply(options) ? "/api/sdk/v1/links" : "/api/links"
    return post(path, seams.bent(link: body.representation.object ?? [:], options))
  }

  func health() -> OutgoingRequest { request("GET", "/api/sdk/v1/health") }

  private func post(_ path: String, _ body: JSON.Object) -> OutgoingRequest {
    request("POST", path, body: JSON.object(body).compactBytes)
  }

  private func request(_ method: String, _ target: String, body: [UInt8] = []) -> OutgoingRequest {
    let base = configuration.baseURL
    var headers: HTTPHeaders = ["User-Agent": device.userAgent, "Accept": "application/json"]
    if !body.isEmpty { headers.append("Content-Type", "application/json") }
    if let key = configuration.apiKey { headers.append("Authorization", "Bearer \(key)") }
    let request = HTTPRequest(method: method, target: base.prefix + target, headers: headers, body: body)
    let outgoing = OutgoingRequest(to: base.endpoint, request)
    return seams.bent(seams.exposed(outgoing, configuration, user: user), configuration)
  }
}
