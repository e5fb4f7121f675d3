import JSONKit

/// A request in the queue. The client's data (state, tokens, order) is added when the request is sent.
package struct WaitingRequest: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    /// Registers the properties of the device, as they are when the request is sent.
    case register
    case linkAnonymous
    case link(ContactIdentity)
    case registerPushToken(String)
    case clearPushToken
    case report(TrackedEvent)
    case fetchInbox
    case fetchGeofences
    case reportDeepLink(String)
  }

  /// The number of the request in the queue.
  var number = 0
  var purpose: Purpose

  init(_ purpose: Purpose) { self.purpose = purpose }
}

extension WaitingRequest.Purpose {
  /// Whether the request needs a contact. Such a request waits until the client is linked. During this time, the SDK
  /// may send later requests before it.
  var needsContact: Bool {
    switch self {
    case .registerPushToken, .clearPushToken, .report: true
    default: false
    }
  }

  /// Whether the request links the client to a contact.
  var isLink: Bool {
    switch self {
    case .linkAnonymous, .link: true
    default: false
    }
  }

  var isReport: Bool { if case .report = self { true } else { false } }

  /// Whether a server can refuse the request with 401 because the contact token has expired.
  var isOfContact: Bool {
    switch self {
    case .linkAnonymous, .link, .reportDeepLink: false
    default: true
    }
  }

  /// Whether the SDK stores the request, so that it survives until the next launch. A fetch is not stored, since the
  /// app of the next launch does not wait for its answer.
  var isKept: Bool {
    switch self {
    case .fetchInbox, .fetchGeofences: false
    default: true
    }
  }
}

extension WaitingRequest: JSONRepresentable {
  package var representation: JSON {
    switch purpose {
    case .register: ["register": true]
    case .linkAnonymous: ["link": .null]
    case .link(let identity): ["link": identity.representation]
    case .registerPushToken(let token): ["pushToken": .string(token)]
    case .clearPushToken: ["pushToken": .null]
    case .report(let event): ["event": event.representation]
    case .fetchInbox: ["fetch": "inbox"]
    case .fetchGeofences: ["fetch": "geo-fences"]
    case .reportDeepLink(let link): ["deepLink": .string(link)]
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    if field.value["register"] != nil {
      self.init(.register)
    } else if let link = field.value["link"] {
      self.init(link.isNull ? .linkAnonymous : .link(try ContactIdentity(field.required("link"))))
    } else if let token = field.value["pushToken"] {
      self.init(token.isNull ? .clearPushToken : .registerPushToken(try field.required("pushToken").string()))
    } else if field.value["event"] != nil {
      self.init(.report(try TrackedEvent(field.required("event"))))
    } else {
      self.init(.reportDeepLink(try field.required("deepLink").string()))
    }
  }
}
