import HTTPValues
import JSONKit

/// A click: the opening of a link, with its time and the facts about the device.
struct Click: Hashable, Sendable {
  var shortCode: String
  /// The time in milliseconds since 1970.
  var at: Int
  var device: FingerprintMatcher.Device
}

extension FingerprintMatcher.Device {
  /// The device that requests a link. The `fp_` parameters of an SDK or the header fields of a browser describe it.
  init(clicking request: HTTPRequest) {
    let query = Dictionary(request.queryItems.map { ($0.name, $0.value) }) { first, _ in first }
    self.init(
      address: NetworkAddress(request.clientAddress), userAgent: UserAgent(request.headers["User-Agent"] ?? ""),
      timezone: query["fp_tz"],
      language: query["fp_lang"] ?? request.headers["Accept-Language"], screenWidth: query["fp_sw"].flatMap { Int($0) },
      screenHeight: query["fp_sh"].flatMap { Int($0) }, platform: query["fp_platform"],
      platformVersion: query["fp_pv"])
  }

  /// The device that the report of an install describes.
  init(installing body: JSON.Object, _ request: HTTPRequest) {
    self.init(
      address: NetworkAddress(request.clientAddress), userAgent: UserAgent(body["userAgent"]?.string ?? ""),
      timezone: body["timezone"]?.string,
      language: body["language"]?.string, screenWidth: body["screenWidth"]?.int,
      screenHeight: body["screenHeight"]?.int, platform: body["platform"]?.string,
      platformVersion: body["platformVersion"]?.string)
  }
}

extension HTTPRequest {
  /// The first address of `X-Forwarded-For`, as if a trusted proxy had set the field. If the field is absent, the
  /// result is the loopback address, which matches no other address.
  var clientAddress: String {
    let first = headers["X-Forwarded-For"]?.prefix { $0 != "," } ?? "127.0.0.1"
    let address = String(first.filter { $0 != " " })
    return address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
  }
}
