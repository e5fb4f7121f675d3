import ConformanceModel
import JSONKit

// Events of the app and of the SDK itself. Source: P2, P4, B6; sessions as the SDK's public wiki has them.
extension EngageCore {
  mutating func track(_ name: String, _ attributes: JSON.Object?, _ handle: String?) {
    guard !name.isEmpty else { return reject(handle, "an event has a name") }
    submit([.report(event(.custom, name, attributes))], handle)
  }

  /// An event of this moment.
  func event(_ kind: TrackedEvent.Kind, _ name: String, _ attributes: JSON.Object? = nil) -> TrackedEvent {
    TrackedEvent(
      kind: kind, name: name, timestamp: Timestamp(milliseconds: now).text, attributes: attributes,
      sessionID: session?.id)
  }

  /// Begins a session; the event that says so.
  mutating func beginSession() -> TrackedEvent {
    session = Session(id: random.uuid(), start: now)
    return event(.internal, "session:start")
  }

  /// Ends the session; the event that says so, nil where none was open.
  mutating func endSession() -> TrackedEvent? {
    guard let session else { return nil }
    defer { self.session = nil }
    return event(.internal, "session:end", ["duration": .string(String(max(0, now - session.start)))])
  }
}

// The push token. Source: P3, A4, B4, C3.
extension EngageCore {
  /// The push token that is registered once all that waits has succeeded.
  var pushTokenToBe: String? {
    switch queue.last(where: \.isAboutPushToken)?.purpose {
    case .registerPushToken(let token): token
    case .clearPushToken: nil
    default: client.registeredPushToken
    }
  }

  mutating func setPushToken(_ token: String, _ handle: String?) {
    guard !token.isEmpty else { return reject(handle, "a push token is no empty text") }
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    guard token != pushTokenToBe else { return waitForPushToken(handle) }
    submit([.registerPushToken(token)], handle)
  }

  mutating func clearPushToken(_ handle: String?) {
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    guard pushTokenToBe != nil else { return waitForPushToken(handle) }
    submit([.clearPushToken], handle)
  }

  /// What was asked for is so, or will be once what waits has been sent.
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
