import HTTPValues
import JSONKit
import Templates

// Decisions that a defect changes.
extension EngageCore {
  /// The stored requests that have not expired. Without a defect, no request expires.
  func unexpired(_ stored: [WaitingRequest]) -> [WaitingRequest] {
    guard switches.has(.queueExpires) else { return stored }
    return stored.filter { request in
      guard case .report(let event) = request.purpose else { return true }
      return now - (Timestamp(event.timestamp)?.milliseconds ?? now) < 86_400_000
    }
  }

  /// The record of earlier launches, without the values that a defect forgets.
  func remembered(_ stored: ClientRecord) -> ClientRecord {
    var client = stored
    if switches.has(.newClientEachStart) { client.clientID = nil }
    if switches.has(.forgetsState) { client.clientState = nil }
    if switches.has(.forgetsTokens) || (switches.has(.forgetsSignIn) && client.contact != nil) {
      client.contactToken = nil
      client.refreshToken = nil
      client.contact = nil
    }
    if switches.has(.forgetsPushToken) { client.registeredPushToken = nil }
    if switches.has(.ordersOfEachProcess) { client.lastOrder = 0 }
    return client
  }

  /// Whether the server has accepted the present properties, and the SDK still has a client state for them.
  var isRegistered: Bool {
    guard let registered = client.registered, !switches.has(.registersAtEachStart) else { return false }
    if switches.has(.registersOnce) { return true }
    var body = device.body
    if switches.has(.comparesWithoutLanguage) { body["language"] = registered["language"] }
    return registered.isEquivalent(to: .object(body)) && (client.clientState != nil || switches.has(.forgetsState))
  }

  /// The number in the field `X-Request-Order` of the next request: the present time in milliseconds, but at least one
  /// more than the last number.
  var nextOrder: Int {
    if switches.has(.orderFalls) { return client.lastOrder == 0 ? now : client.lastOrder - 1 }
    if switches.has(.ordersOfEachProcess) { return client.lastOrder + 1 }
    if switches.has(.ordersOfTheClock) { return now }
    return max(now, client.lastOrder + 1)
  }

  /// The new client state from an answer, byte for byte. nil if the SDK keeps its present client state.
  func state(in response: HTTPResponse, to flight: Flight) -> String? {
    guard givesState(flight), !(switches.has(.keepsFirstState) && client.clientState != nil) else { return nil }
    let name = "X-Client-State"
    guard let state = response.headers[name], !state.isEmpty else { return nil }
    if switches.has(.looksForExactHeader), !response.headers.fields.contains(where: { $0.name == name }) { return nil }
    return switches.has(.decodesState) ? PercentEncoding.decode(state) ?? state : state
  }

  private func givesState(_ flight: Flight) -> Bool {
    if flight.isRenewal { return !switches.has(.noStateFromRefreshes) }
    return switch flight.waiting.purpose {
    case .link, .linkAnonymous: !switches.has(.noStateFromLinks)
    case .registerPushToken: !switches.has(.noStateFromPushTokens)
    case .clearPushToken: !switches.has(.noStateFromClearing)
    case .report: !switches.has(.noStateFromEvents)
    case .reportDeepLink: false
    case .register, .fetchInbox, .fetchGeofences: true
    }
  }

  /// Whether a defect treats a rejected registration of the properties or of the push token as accepted.
  func countsAsRegistered(_ purpose: WaitingRequest.Purpose) -> Bool {
    switch purpose {
    case .register: switches.has(.registeredAtAnyAnswer)
    case .registerPushToken: switches.has(.pushedAtAnyAnswer)
    default: false
    }
  }

  /// Whether a defect skips a sign-in that seems to change nothing. Without a defect, every sign-in is sent.
  func isSkipped(_ identity: ContactIdentity) -> Bool {
    if switches.has(.comparesValueAlone), identity.proof == client.contact?.proof { return true }
    return switches.has(.skipsKnownContact) && identity == client.contact
  }
}
