import JSONKit
import MobileEngage

/// The commands of the protocol, as `spec/mobile-engage/protocol.yaml` lists them.
enum CommandName: String, CaseIterable {
  case setup, setContact, setAuthenticatedContact, clearContact, trackCustomEvent, setPushToken, clearPushToken
  case setApplicationCode, pauseInApp, resumeInApp, fetchInbox, fetchGeofences, trackDeepLink, dropStorage
  case seedLegacyStorage
}

extension CommandName {
  /// The call to the SDK that the command makes.
  func call(_ params: JSONField) throws(JSONField.Problem) -> EngageCall {
    let handle = try params.optional("handle")?.string()
    switch self {
    case .setup: return .setup(try EngageCall.Setup(params), handle: handle)
    case .setContact:
      let value = try params.required("contactFieldValue").string()
      return .setContact(ContactIdentity(fieldID: try Self.field(params), .value(value)), handle: handle)
    case .setAuthenticatedContact:
      let token = try params.required("openIdToken").string()
      return .setContact(ContactIdentity(fieldID: try Self.field(params), .openID(token)), handle: handle)
    case .clearContact: return .clearContact(handle: handle)
    case .trackCustomEvent:
      return .track(
        name: try params.required("name").string(), attributes: params.optional("attributes")?.value.object,
        handle: handle)
    case .setPushToken: return .setPushToken(try params.required("pushToken").string(), handle: handle)
    case .clearPushToken: return .clearPushToken(handle: handle)
    case .setApplicationCode:
      return .setApplicationCode(try params.required("applicationCode").string(), handle: handle)
    case .pauseInApp: return .pauseMessages(true)
    case .resumeInApp: return .pauseMessages(false)
    case .fetchInbox: return .fetchInbox(handle: handle)
    case .fetchGeofences: return .fetchGeofences(handle: handle)
    case .trackDeepLink: return .trackDeepLink(try params.required("link").string(), handle: handle)
    case .dropStorage: return .dropStorage(try params.required("keys").strings())
    case .seedLegacyStorage:
      guard let value = try params.optional("contactFieldValue")?.string() else { return .seedLegacyStorage(nil) }
      return .seedLegacyStorage(ContactIdentity(fieldID: try Self.field(params), .value(value)))
    }
  }

  private static func field(_ params: JSONField) throws(JSONField.Problem) -> Int {
    try params.required("contactFieldId").int()
  }
}

extension EngageCall.Setup {
  fileprivate init(_ params: JSONField) throws(JSONField.Problem) {
    self.init(
      applicationCode: try params.optional("applicationCode")?.string(),
      services: ServiceURLs(
        client: try params.required("clientUrl").string(), events: try params.required("eventsUrl").string(),
        inbox: try params.optional("inboxUrl")?.string(), deepLink: try params.optional("deepLinkUrl")?.string()),
      acceptsAnonymous: try params.optional("anonymousContacts")?.bool() ?? true)
  }
}
