import JSONKit
import LinkFortyModel
import ReferenceKit
import Templates

// User identity.
extension SDKSeams {
  /// The user id that the SDK keeps after the app sets the id to `user`; `former` is the previous id.
  func kept(user: String?, was former: String?) -> String? {
    if has(.userIDNullIgnored), user == nil { return former }
    return has(.variantEmptyUserIsNone) && user == "" ? nil : user
  }

  /// Whether a text is rejected as a user id.
  func refuses(user: String?) -> Bool {
    has(.userIDOnlyUUID) && user.map { !UUIDText.isValid($0) } ?? false || has(.userIDEmptyRefused) && user == ""
  }
}

// Access to data.
extension SDKSeams {
  func isFirstLaunch(_ value: Bool) -> Bool {
    has(.variantFirstLaunchEnds) ? false : value
  }

  func installID(of install: InstallResponse?) -> JSON {
    if has(.installIDOrganicHidden), install?.attributed == false { return .null }
    return install.map { .string($0.installId) } ?? .null
  }

  /// The result of a call with which the app reads a value.
  func told(_ call: SDKCall, _ value: JSON) -> Result<JSON, SDKError> {
    if has(.firstLaunchHidden), call == .isFirstLaunch {
      return .failure(SDKError(.generic, "there is no such thing as a first launch"))
    }
    return .success(value)
  }

  /// The JSON that the SDK stores for an install.
  func stored(_ install: InstallResponse) -> JSON {
    var install = install
    if has(.installDataMemoryOnly) { install.deepLinkData = nil }
    return install.representation
  }
}
