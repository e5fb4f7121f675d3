import JSONKit

/// What an app asks of the SDK. What becomes of a call is told to `handle`, where the app gave one.
package enum EngageCall: Hashable, Sendable {
  case setup(Setup, handle: String?)
  case setContact(ContactIdentity, handle: String?)
  case clearContact(handle: String?)
  case track(name: String, attributes: JSON.Object?, handle: String?)
  case setPushToken(String, handle: String?)
  case clearPushToken(handle: String?)
  case setApplicationCode(String, handle: String?)
  case pauseMessages(Bool)
  case fetchInbox(handle: String?)
  case fetchGeofences(handle: String?)
  case trackDeepLink(String, handle: String?)
  /// The adapter's doing: values vanish from the storage.
  case dropStorage([String])
  /// The adapter's doing: the storage is as an older version of the SDK left it.
  case seedLegacyStorage(ContactIdentity?)
  /// What surrounds the app has changed.
  case surround(JSON.Object)

  /// What an app configures at its start.
  package struct Setup: Hashable, Sendable {
    /// An app without one may do anything; nothing is sent.
    package var applicationCode: String?
    package var services: ServiceURLs
    package var acceptsAnonymous: Bool

    package init(applicationCode: String?, services: ServiceURLs, acceptsAnonymous: Bool) {
      self.applicationCode = applicationCode
      self.services = services
      self.acceptsAnonymous = acceptsAnonymous
    }
  }
}

/// The base URLs of the services.
package struct ServiceURLs: Hashable, Sendable {
  package var client: String
  package var events: String
  package var inbox: String?
  package var deepLink: String?

  package init(client: String, events: String, inbox: String? = nil, deepLink: String? = nil) {
    self.client = client
    self.events = events
    self.inbox = inbox
    self.deepLink = deepLink
  }
}
