import ConformanceModel
import JSONKit

/// The version of the event service that the SDK is configured for. Source: AMB-25, POS-23.
package enum EventsVersion: String, CaseIterable, Sendable {
  case v3
  /// In contrast to ``v3``, the service has a different path, and bodies contain a state of the device's events.
  case v4

  /// The dialect whose golden requests the SDK sends.
  var dialect: Dialect { self == .v4 ? "events-v4" : "v3" }

  var hasDeviceState: Bool { self == .v4 }
}
