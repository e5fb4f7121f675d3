// The push token. Source: P3, A4, B4, C3.
extension EngageCore {
  /// The push token that will be registered after all waiting requests have succeeded. A sign-out removes the token.
  var pushTokenToBe: String? {
    switch queue.last(where: { $0.isAboutPushToken || $0 == .linkAnonymous })?.purpose {
    case .registerPushToken(let token): token
    case .clearPushToken, .linkAnonymous: nil
    default: client.registeredPushToken
    }
  }

  mutating func setPushToken(_ token: String, _ handle: String?) {
    guard !token.isEmpty else { return reject(handle, "the push token is empty") }
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    let isKnown = switches.has(.firstPushTokenStays) ? pushTokenToBe != nil : token == pushTokenToBe
    guard !isKnown || switches.has(.sendsPushTokenAgain) else { return waitForPushToken(handle) }
    submit([.registerPushToken(switches.has(.lowerCasesPushToken) ? token.lowercased() : token)], handle)
  }

  mutating func clearPushToken(_ handle: String?) {
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    guard pushTokenToBe != nil || client.registeredPushToken != nil else { return waitForPushToken(handle) }
    submit([.clearPushToken], handle)
  }

  /// Reports the outcome of a call that needs no further request. If a request about the push token is waiting, reports
  /// the outcome when this request has ended, and otherwise at once.
  private mutating func waitForPushToken(_ handle: String?) {
    wait(for: queue.last(where: \.isAboutPushToken).map { [$0.number] } ?? [], handle)
    deliver()
  }
}

extension WaitingRequest.Purpose {
  fileprivate var isAboutPushToken: Bool {
    switch self {
    case .registerPushToken, .clearPushToken: true
    default: false
    }
  }
}
