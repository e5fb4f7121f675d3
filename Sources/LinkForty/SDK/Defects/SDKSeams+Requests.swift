import HTTPValues
import JSONKit
import ReferenceKit

// Content of requests.
extension SDKSeams {
  func bent(install body: JSON.Object, _ device: DeviceFacts) -> JSON.Object {
    var body = body
    if has(.variantPlatformLowerCase) { body["platform"] = .string(device.platform.lowercased()) }
    if has(.variantWindowOmitted), body["attributionWindowHours"] == 168 { body["attributionWindowHours"] = nil }
    if has(.variantExtraMembers) {
      body["sdkName"] = "linkforty-reference"
      body["sdkVersion"] = "1.0.0"
    }
    return body
  }

  /// Returns the request as the defects and variants that are on change it.
  func bent(_ outgoing: OutgoingRequest) -> OutgoingRequest {
    var outgoing = outgoing
    var request = outgoing.request
    if has(.requestLatin1) {
      let text = String(decoding: request.body, as: UTF8.self)
      request.body = text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }
    if has(.variantReversedHeaders) { request.headers.fields.reverse() }
    if has(.variantReversedMembers), let members = Octets(request.body).json?.object?.members {
      request.body = JSON.object(JSON.Object(members.reversed())).compactBytes
    }
    outgoing.request = request
    if has(.variantChunkedBody) { outgoing.chunk() }
    if has(.variantClosedConnections) { outgoing.closeConnection() }
    return outgoing
  }
}
