import JSONKit
import LinkForty
import LinkFortyModel

/// The commands of the protocol, as `spec/linkforty/protocol.yaml` lists them.
enum CommandName: String, CaseIterable {
  case initialize, onDeferredDeepLink, onDeepLink, handleUrl, emitPlatformUrl, trackEvent, trackRevenue, createLink
  case setExternalUserId, getExternalUserId, getInstallId, getInstallData, isFirstLaunch, flush, queueSize, clearQueue
  case clearData, reset, secondInstance, corruptStorage, setDevice, setNetwork
}

extension CommandName {
  /// The call to the SDK that the command makes; nil for a command that changes the SDK's surroundings.
  func call(_ params: JSONField) throws(JSONField.Problem) -> SDKCall? {
    switch self {
    case .initialize: .initialize(try ConfigurationRequest(params))
    case .onDeferredDeepLink: .onDeferredDeepLink(handle: try params.required("handle").string())
    case .onDeepLink: .onDeepLink(handle: try params.required("handle").string())
    case .handleUrl: .handleURL(try params.required("url").string())
    case .emitPlatformUrl: .platformURL(try params.required("url").string())
    case .trackEvent:
      .trackEvent(name: try params.required("name").string(), properties: params.optional("properties")?.value.object)
    case .trackRevenue:
      .trackRevenue(
        amount: try params.required("amount").string(), currency: try params.required("currency").string(),
        properties: params.optional("properties")?.value.object)
    case .createLink: .createLink(try params.decodeIfPresent("options") ?? CreateLinkOptions())
    case .setExternalUserId: .setExternalUserID(try params.optional("id")?.string())
    case .getExternalUserId: .externalUserID
    case .getInstallId: .installID
    case .getInstallData: .installData
    case .isFirstLaunch: .isFirstLaunch
    case .flush: .flush
    case .queueSize: .queueSize
    case .clearQueue: .clearQueue
    case .clearData: .clearData
    case .reset: .reset
    case .secondInstance, .corruptStorage, .setDevice, .setNetwork: nil
    }
  }
}

extension ConfigurationRequest {
  fileprivate init(_ params: JSONField) throws(JSONField.Problem) {
    self.init(
      // The SDK itself must refuse a missing base URL.
      baseUrl: try params.optional("baseUrl")?.string() ?? "", apiKey: try params.optional("apiKey")?.string(),
      appToken: try params.optional("appToken")?.string(), debug: try params.optional("debug")?.bool() ?? false,
      attributionWindowHours: params.value["attributionWindowHours"],
      deviceId: try params.optional("deviceId")?.string())
  }
}
