import JSONKit

/// The facts about the app and the device that the SDK sends to the platform.
package struct DeviceFacts: Hashable, Sendable {
  package enum FormFactor: String, CaseIterable, Sendable {
    case phone, tablet
  }

  /// A device whose screen has at least this diagonal, in inches, is a tablet. Source: the appendix of user linking,
  /// for Android.
  private static let tabletInches = 7.0
  static let sdkVersion = "6.16.0"

  package var bundleID = "com.example.app"
  package var appVersion = "1.0.0"
  package var os = "Android 14"
  package var model = "Pixel 8"
  /// The form factor of the device if ``screenInches`` is nil.
  package var form = FormFactor.phone
  package var screenInches: Double?

  package init() {}

  /// Updates the facts that the object names.
  package mutating func take(_ facts: JSONField) throws(JSONField.Problem) {
    appVersion = try facts.optional("appVersion")?.string() ?? appVersion
    os = try facts.optional("os")?.string() ?? os
    model = try facts.optional("model")?.string() ?? model
    form = try facts.optional("formFactor")?.word(FormFactor.self) ?? form
    screenInches = try facts.optional("screenInches")?.double() ?? screenInches
  }

  package var formFactor: FormFactor {
    guard let screenInches else { return form }
    return screenInches < Self.tabletInches ? .phone : .tablet
  }

  /// The members that a creation request contains about the app and the device.
  var members: [(String, JSON)] {
    [
      ("app", ["bundle_id": .string(bundleID), "version": .string(appVersion)]),
      ("device", ["form_factor": .string(formFactor.rawValue), "os": .string(os), "model": .string(model)]),
      ("sdk", ["version": .string(Self.sdkVersion)]),
    ]
  }
}
