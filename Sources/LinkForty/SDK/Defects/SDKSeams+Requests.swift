import ConformanceModel
import JSONKit
import ReferenceKit

// What the SDK sends.
extension SDKSeams {
  func bent(install body: JSON.Object, _ device: DeviceFacts) -> JSON.Object {
    var body = body
    if has(.fingerprintNoUserAgent) { body["userAgent"] = "" }
    if has(.fingerprintTimezoneOffset) { body["timezone"] = "GMT-5" }
    if has(.fingerprintNoLanguage) { body["language"] = nil }
    if has(.fingerprintScreenAsText) { body["screenWidth"] = .string(String(device.pixelWidth)) }
    if has(.fingerprintScreenInPoints) {
      body["screenWidth"] = .int(Int(device.screenWidth))
      body["screenHeight"] = .int(Int(device.screenHeight))
    }
    if has(.fingerprintNoPlatform) { body["platform"] = nil }
    if has(.fingerprintNoPlatformVersion) { body["platformVersion"] = nil }
    if has(.fingerprintNoAppVersion) { body["appVersion"] = nil }
    if has(.fingerprintDeviceIDAlways), body["deviceId"] == nil {
      body["deviceId"] = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
    }
    if has(.fingerprintDeviceIDNull), body["deviceId"] == nil { body["deviceId"] = .null }
    if has(.fingerprintDeviceIDIgnored) { body["deviceId"] = nil }
    if has(.windowAlwaysDefault) { body["attributionWindowHours"] = 168 }
    if has(.windowAsText) { body["attributionWindowHours"] = body["attributionWindowHours"].map { .string("\($0)") } }
    if has(.appTokenNotSent) { body["appToken"] = nil }
    if has(.variantPlatformLowerCase) { body["platform"] = .string(device.platform.lowercased()) }
    if has(.variantWindowOmitted), body["attributionWindowHours"] == 168 { body["attributionWindowHours"] = nil }
    if has(.variantExtraMembers) {
      body["sdkName"] = "linkforty-reference"
      body["sdkVersion"] = "1.0.0"
    }
    return body
  }

  /// A request on its way out.
  func bent(_ outgoing: OutgoingRequest, _ configuration: Configuration) -> OutgoingRequest {
    var outgoing = outgoing
    var request = outgoing.request
    if has(.installTrailingSlash), request.target.hasSuffix("/install") { request.target += "/" }
    if has(.authorizationAlways), configuration.apiKey == nil { request.headers.append("Authorization", "Bearer ") }
    if has(.authorizationMissing) { request.headers["Authorization"] = nil }
    bendHeaders(of: &request, configuration)
    if has(.apiKeyInQuery), let key = configuration.apiKey {
      request.target += (request.query == nil ? "?" : "&") + "api_key=\(key)"
    }
    if has(.variantReversedHeaders) { request.headers.fields.reverse() }
    if has(.variantReversedMembers), let members = Octets(request.body).json?.object?.members {
      request.body = JSON.object(JSON.Object(members.reversed())).compactBytes
    }
    outgoing.request = request
    outgoing.isChunked = has(.variantChunkedBody) && !request.body.isEmpty
    return outgoing
  }

  /// What is asked of a link: the user id of the call, else the one that was set.
  func options(_ options: CreateLinkOptions, user: String?) -> CreateLinkOptions {
    var options = options
    if has(.linkUserIDMissing) { return options }
    if has(.linkOverrideIgnored), user != nil { options.externalUserId = nil }
    options.externalUserId = options.externalUserId ?? user
    return options
  }
}
