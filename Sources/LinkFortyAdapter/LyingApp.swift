import AdapterHost
import ConformanceModel
import JSONKit

/// An app that answers every command with what an SDK might answer, and does nothing: no request, no callback, no file.
final class LyingApp: HostedApp {
  private var externalUserID = JSON.null

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    if command == CommandName.setExternalUserId.rawValue { externalUserID = params["id"] ?? .null }
    reply(.success(answer(to: CommandName(rawValue: command))))
  }

  func surround(_ facts: JSON.Object) {}

  func quit() {}

  private func answer(to command: CommandName?) -> JSON {
    switch command {
    case .initialize:
      [
        "installId": LyingApp.installID, "attributed": false, "confidenceScore": 0, "matchedFactors": [],
        "deepLinkData": .null,
      ]
    case .createLink:
      [
        "url": "https://go.example.com/abc123", "shortCode": "abc123",
        "linkId": "9b1d7e60-4c25-4f3a-a8e7-d5130b6f2c94",
      ]
    case .getExternalUserId: externalUserID
    case .getInstallId: LyingApp.installID
    case .isFirstLaunch: true
    case .queueSize: 0
    default: .null
    }
  }

  private static let installID: JSON = "5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19"
}
