import ConformanceModel
import JSONKit

/// The version of the event service that the SDK is configured for. Source: AMB-25, POS-23.
package enum EventsVersion: String, CaseIterable, Sendable {
  case v3
  /// The path of the service differs from the path in ``v3``, and bodies contain a state of the device's events.
  case v4

  /// The dialect in which the SDK sends its requests.
  var dialect: Dialect { self == .v4 ? "events-v4" : "v3" }

  var hasDeviceState: Bool { self == .v4 }
}
