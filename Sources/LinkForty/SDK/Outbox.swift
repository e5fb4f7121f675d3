import HTTPValues
import JSONKit
import LinkFortyModel
import ReferenceKit

/// Creates the SDK's requests for a configuration. Source: "API Endpoints Reference" of the specification.
struct Outbox: Sendable {
  let configuration: Configuration
  let device: DeviceFacts
  let seams: SDKSeams
  /// The user that the app set. Only requests to create a link contain the user.
  let user: String?

  /// The request that reports the install. It contains the device's fingerprint and parts of the app's configuration.
  func install() -> OutgoingRequest {
    var body: JSON.Object = [
      "userAgent": .string(device.userAgent), "timezone": .string(device.timezone),
      "language": .string(device.language), "screenWidth": .int(device.pixelWidth),
      "screenHeight": .int(device.pixelHeight), "platform": .string(device.platform),
      "platformVersion": .string(device.platformVersion), "appVersion": .string(device.appVersion),
      "attributionWindowHours": .int(configuration.attributionWindowHours),
    ]
    body["deviceId"] = configuration.deviceId.map(JSON.string)
    body["appToken"] = configuration.appToken.map(JSON.string)
    return post(.install, seams.bent(install: body, device))
  }

  func event(_ event: PendingEvent, of install: String) -> OutgoingRequest {
    post(.event, seams.bent(event: event.report(of: install)))
  }

  /// The request to resolve a link. `path` is the link's one or two decoded segments.
  func resolve(_ path: [String]) -> OutgoingRequest {
    let fingerprint = [
      ("fp_tz", device.timezone), ("fp_lang", device.language), ("fp_sw", String(device.pixelWidth)),
      ("fp_sh", String(device.pixelHeight)), ("fp_platform", device.platform), ("fp_pv", device.platformVersion),
    ]
    let query = fingerprint.map { "\($0)=\(seams.encoded($1))" }.joined(separator: "&")
    var line =
      path.count > 1
      ? LinkFortyExchange.golden.line(of: .resolveTemplate, ["templateSlug": path[0], "shortCode": path[1]])
      : LinkFortyExchange.golden.line(of: .resolve, ["shortCode": path[0]])
    line.path += "?" + query
    return request(line)
  }

  /// The request that creates a link. It contains the user in the options or, if they name no user, the user that the
  /// app set. If the options contain a template id, the request goes to the dashboard endpoint. Otherwise it goes to
  /// the endpoint for SDKs. The request does not contain the template's slug, which the SDK only needs for the link's
  /// URL.
  func createLink(_ options: CreateLinkOptions) -> OutgoingRequest {
    var body = options.members
    body["externalUserId"] = (options[text: "externalUserId"] ?? user).map(JSON.string)
    body["templateSlug"] = nil
    return post(
      options[text: "templateId"] == nil ? .createLink : .createLinkDashboard, seams.bent(link: body, options))
  }

  func health() -> OutgoingRequest { request(LinkFortyExchange.golden.line(of: .health)) }

  private func post(_ exchange: LinkFortyExchange, _ body: JSON.Object) -> OutgoingRequest {
    request(LinkFortyExchange.golden.line(of: exchange), body: JSON.object(body).compactBytes)
  }

  private func request(_ line: GoldenRequests<LinkFortyExchange>.Line, body: [UInt8] = []) -> OutgoingRequest {
    let base = configuration.baseURL
    var headers: HTTPHeaders = ["User-Agent": device.userAgent, "Accept": "application/json"]
    if !body.isEmpty { headers.append("Content-Type", "application/json") }
    if let key = configuration.apiKey { headers.append("Authorization", "Bearer \(key)") }
    let request = HTTPRequest(method: line.method, target: base.prefix + line.path, headers: headers, body: body)
    return seams.bent(OutgoingRequest(to: base.endpoint, request))
  }
}
