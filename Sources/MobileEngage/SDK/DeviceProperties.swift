import JSONKit

/// The properties of the device and the app that the SDK registers. Source: step P1 of the workflow.
package struct DeviceProperties: Hashable, Sendable {
  package var platform = "android"
  package var applicationVersion = "2.4.1"
  package var deviceModel = "Pixel 8"
  package var osVersion = "14"
  package var sdkVersion = "1.0.0"
  package var language = "en-US"
  package var timezone = "+0100"
  package var pushSettings: JSON.Object = ["areNotificationsEnabled": true]

  package init() {}

  /// Updates the facts that the object names.
  package mutating func take(_ facts: JSONField) throws(JSONField.Problem) {
    platform = try facts.optional("platform")?.string() ?? platform
    applicationVersion = try facts.optional("applicationVersion")?.string() ?? applicationVersion
    deviceModel = try facts.optional("deviceModel")?.string() ?? deviceModel
    osVersion = try facts.optional("osVersion")?.string() ?? osVersion
    sdkVersion = try facts.optional("sdkVersion")?.string() ?? sdkVersion
    language = try facts.optional("language")?.string() ?? language
    timezone = try facts.optional("timezone")?.string() ?? timezone
    pushSettings = facts.optional("pushSettings")?.value.object ?? pushSettings
  }

  /// The body of a registration.
  var body: JSON.Object {
    [
      "platform": .string(platform), "applicationVersion": .string(applicationVersion),
      "deviceModel": .string(deviceModel), "osVersion": .string(osVersion), "sdkVersion": .string(sdkVersion),
      "language": .string(language), "timezone": .string(timezone), "pushSettings": .object(pushSettings),
    ]
  }
}
