import JSONKit

/// A call of the app. Its outcome is reported to the callback `handle`, if there is one.
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
  /// Removes values from the storage, on behalf of the adapter.
  case dropStorage([String])
  /// Adds the data of an older version of the SDK to the storage, on behalf of the adapter.
  case seedLegacyStorage(ContactIdentity?)
  /// The surroundings of the app have changed.
  case surround(JSON.Object)

  /// The configuration of an app at its start.
  package struct Setup: Hashable, Sendable {
    /// The application code. If it is nil, the app may make calls, but nothing is sent.
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
