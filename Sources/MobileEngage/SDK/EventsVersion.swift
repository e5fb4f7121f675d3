import ConformanceModel
import JSONKit

/// The version of the event service that the SDK is set up for. Source: AMB-25, POS-23.
package enum EventsVersion: String, CaseIterable, Sendable {
  case v3
  /// Below another path, and with a state of the device's events that travels in the bodies.
  case v4

  /// The dialect whose golden exchanges it asks with.
  var dialect: Dialect { self == .v4 ? "events-v4" : "v3" }

  var hasDeviceState: Bool { self == .v4 }
}
