import AdapterHost
import AdapterProtocol
import ConformanceModel
import ConformanceTLS
import JSONKit
import LinkForty
import ReferenceKit

/// The adapter of the reference SDK: what an author of an SDK writes to have it tested.
@main
struct LinkFortyAdapter {
  static func main() {
    ReferenceAdapter<SDKSwitch>(
      AdapterHello(
        protocolName: "linkforty", specRevision: "2026-03-12", name: "linkforty-reference", version: "1.0.0",
        language: "swift", platform: "ios", capabilities: capabilities, clocks: AdapterHost.clocks, instances: .many),
      commands: CommandName.allCases.map(\.rawValue),
      declares: { ["retryWindowMs": .int(SDKCore.retryWindow($0))] }, lies: Self.lies, tls: BoringSSLClient()
    ) {
      try LinkFortyApp($0, $1, switches: $2)
    }.main()
  }

  private static let capabilities = [
    "initialization", "deferred-deep-links", "direct-deep-links", "events", "revenue", "links", "user-identity",
    "install-data", "first-launch", "offline-queue", "data-management", "reset", "device-id", "app-token",
    "storage-corruption", "second-instance", "set-device", "platform-urls",
  ]

  /// What an SDK might say that does nothing: it only remembers the user.
  private static func lies() -> (_ command: String, _ params: JSON) -> JSON {
    let installID: JSON = "5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19"
    var user = JSON.null
    return { command, params in
      switch CommandName(rawValue: command) {
      case .initialize:
        return [
          "installId": installID, "attributed": false, "confidenceScore": 0, "matchedFactors": [],
          "deepLinkData": .null,
        ]
      case .createLink:
        return [
          "url": "https://go.example.com/abc123", "shortCode": "abc123",
          "linkId": "9b1d7e60-4c25-4f3a-a8e7-d5130b6f2c94",
        ]
      case .setExternalUserId:
        user = params["id"] ?? .null
        return .null
      case .getExternalUserId: return user
      case .getInstallId: return installID
      case .isFirstLaunch: return true
      case .queueSize: return 0
      default: return .null
      }
    }
  }
}
