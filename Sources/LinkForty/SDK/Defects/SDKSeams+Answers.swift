import HTTPValues
import JSONKit
import LinkFortyModel

// Reading of answers.
extension SDKSeams {
  /// The answer to the report of an install; nil if it is not valid.
  func readInstall(_ body: [UInt8]) -> InstallResponse? {
    guard var response = InstallResponse.read(body) else {
      return has(.installGarbageAccepted) ? .organic(installId: "undefined") : nil
    }
    let raw = Octets(body).json
    if has(.installStrictMembers), !(raw?.object?.keys.allSatisfy(InstallResponse.names.contains) ?? true) {
      return nil
    }
    if has(.installNeedsLink), response.attributed, response.deepLinkData == nil { return nil }
    if has(.deferredOrganicData), let data = raw?["deepLinkData"] {
      response.deepLinkData = (try? DeepLinkData(JSONField(data)))?.canonical
    }
    if has(.deferredNullMembersFatal), raw?["deepLinkData"]?.object?.members.contains(where: \.value.isNull) ?? false {
      response.deepLinkData = nil
    }
    return response
  }

  /// The part of a valid install response that the SDK keeps in memory; nil if the SDK keeps nothing.
  func kept(_ response: InstallResponse?) -> InstallResponse? { has(.installIDNotKept) ? nil : response }

  /// Whether the callbacks for the deferred link are called when the outcome of the install is known. `isNew` is true
  /// if the install was reported in this launch.
  func delivers(_ response: InstallResponse?, isNew: Bool, body: [UInt8]?) -> Bool {
    if has(.variantDeferredOnce), !isNew { return false }
    if has(.installClientErrorSilent), response == nil, isNew { return false }
    guard let response, response.deepLinkData == nil else { return true }
    guard let answer = body.flatMap({ Octets($0).json }) else { return true }
    return switch answer["deepLinkData"] {
    case .some(.null): !has(.deferredNullNotDelivered)
    case .some([:]): !has(.deferredEmptyNotDelivered)
    case .none: !has(.deferredMissingNotDelivered)
    case .some: true
    }
  }

  /// Whether a callback receives the value if the app registers it after the value was known.
  func deliversLate(_ value: JSON) -> Bool {
    if has(.deferredLateLost), !value.isNull { return false }
    return !has(.deferredLateNullLost) || !value.isNull
  }
}
