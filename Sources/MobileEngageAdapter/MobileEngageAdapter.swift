import AdapterHost
import AdapterProtocol
import JSONKit
import MobileEngage
import ReferenceKit

/// The adapter of the reference SDK of Mobile Engage.
@main
struct MobileEngageAdapter {
  static func main() {
    // Missing data is reported at the start, not at the first request.
    _ = EngageExchange.golden
    ReferenceAdapter<EngageSwitch>(
      AdapterHello(
        protocolName: "mobile-engage", specRevision: "v3", name: "mobile-engage-reference", version: "1.0.0",
        language: "swift", platform: "linux", capabilities: capabilities, dialects: ["v3", "events-v4"],
        clocks: AdapterHost.clocks,
        instances: .many),
      commands: CommandName.allCases.map(\.rawValue), declares: { EngageCore.declared(with: $0) }
    ) {
      try MobileEngageApp($0, $1, switches: $2)
    }.main()
  }

  private static let capabilities = [
    "contact", "sign-out", "events", "push", "session-start", "app-start", "outcomes", "contact-field-per-call",
    "authenticated-contact", "clear-push", "provider-push", "foreground", "inactive", "sessions", "device-properties",
    "sdk-version", "push-settings", "network", "wall-clock", "storage-loss", "legacy-storage",
    "application-code-change", "anonymous-switch", "in-app-pause", "inbox", "geofences", "deep-links",
  ]
}
