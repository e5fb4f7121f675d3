import AdapterHost
import AdapterProtocol
import ConformanceTLS
import JSONKit
import LinkForty
import ReferenceKit

/// The adapter of the reference SDK. It has the form that an adapter for any other SDK has.
@main
struct LinkFortyAdapter {
  static func main() {
    // Missing data is reported at the start, not at the first request.
    _ = LinkFortyExchange.golden
    ReferenceAdapter<SDKSwitch>(
      AdapterHello(
        protocolName: "linkforty", specRevision: "2026-03-12", name: "linkforty-reference", version: "1.0.0",
        language: "swift", platform: "ios", capabilities: capabilities, clocks: AdapterHost.clocks, instances: .many),
      commands: CommandName.allCases.map(\.rawValue),
      declares: { ["retryWindowMs": .int(SDKCore.retryWindow($0))] }, tls: OpenSSLClient()
    ) {
      try LinkFortyApp($0, $1, switches: $2)
    }.main()
  }

  private static let capabilities = [
    "initialization", "deferred-deep-links", "direct-deep-links", "events", "revenue", "links", "user-identity",
    "install-data", "first-launch", "offline-queue", "data-management", "reset", "device-id", "app-token",
    "storage-corruption", "second-instance", "set-device", "platform-urls", "tls",
  ]
}
