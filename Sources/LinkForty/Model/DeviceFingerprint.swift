import ConformanceModel
import JSONKit

/// What an app tells of the device it runs on when it reports its install.
///
/// Source: "Models Reference", DeviceFingerprint. Screen sizes are in native pixels, the window is in hours.
package struct DeviceFingerprint: Hashable, Sendable {
  package var userAgent: String
  /// IANA identifier.
  package var timezone: String?
  package var language: String?
  package var screenWidth: JSON.Number?
  package var screenHeight: JSON.Number?
  package var platform: String?
  package var platformVersion: String?
  package var appVersion: String?
  /// IDFA or GAID, only with the user's consent.
  package var deviceId: String?
  package var attributionWindowHours: JSON.Number?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    userAgent: String, timezone: String? = nil, language: String? = nil, screenWidth: Int? = nil,
    screenHeight: Int? = nil, platform: String? = nil, platformVersion: String? = nil, appVersion: String? = nil,
    deviceId: String? = nil, attributionWindowHours: Int? = nil, others: JSON.Object = [:]
  ) {
    self.userAgent = userAgent
    self.timezone = timezone
    self.language = language
    self.screenWidth = screenWidth.map { JSON.Number($0) }
    self.screenHeight = screenHeight.map { JSON.Number($0) }
    self.platform = platform
    self.platformVersion = platformVersion
    self.appVersion = appVersion
    self.deviceId = deviceId
    self.attributionWindowHours = attributionWindowHours.map { JSON.Number($0) }
    self.others = others
  }
}

extension DeviceFingerprint: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join(
      [
        ("userAgent", .string(userAgent)), ("timezone", timezone.map(JSON.string)),
        ("language", language.map(JSON.string)), ("screenWidth", screenWidth.map(JSON.number)),
        ("screenHeight", screenHeight.map(JSON.number)), ("platform", platform.map(JSON.string)),
        ("platformVersion", platformVersion.map(JSON.string)), ("appVersion", appVersion.map(JSON.string)),
        ("deviceId", deviceId.map(JSON.string)),
        ("attributionWindowHours", attributionWindowHours.map(JSON.number)),
      ], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    userAgent = try field.required("userAgent").string()
    timezone = try field.text("timezone")
    language = try field.text("language")
    screenWidth = try DeviceFingerprint.number(field, "screenWidth")
    screenHeight = try DeviceFingerprint.number(field, "screenHeight")
    platform = try field.text("platform")
    platformVersion = try field.text("platformVersion")
    appVersion = try field.text("appVersion")
    deviceId = try field.text("deviceId")
    attributionWindowHours = try DeviceFingerprint.number(field, "attributionWindowHours")
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }

  private static func number(_ field: JSONField, _ key: String) throws(JSONField.Problem) -> JSON.Number? {
    guard let member = field.optional(key) else { return nil }
    guard let number = member.value.number else { throw member.problem(expected: "a number") }
    return number
  }
}
