import HTTPValues
import JSONKit
import Templates

// Events of the app and of the SDK itself. Source: P2, P4, B6; for sessions, the SDK's public wiki.
extension EngageCore {
  mutating func track(_ name: String, _ attributes: JSON.Object?, _ handle: String?) {
    guard !name.isEmpty || switches.has(.unnamedTaken) else { return reject(handle, "an event has a name") }
    if switches.has(.dropsWithoutToken), client.contactToken == nil { return tell(handle, .success(())) }
    let name = switches.has(.namesInSmallLetters) ? name.lowercased() : name
    submit([.report(event(.custom, name, attributes))], handle)
  }

  /// Creates an event with the present time and the present session.
  func event(_ kind: TrackedEvent.Kind, _ name: String, _ attributes: JSON.Object? = nil) -> TrackedEvent {
    TrackedEvent(
      kind: kind, name: name, timestamp: Timestamp(milliseconds: now).text, attributes: attributes,
      sessionID: session?.id)
  }

  /// Stores the state of the device's events from an answer. The next events are sent with this state. An answer
  /// without a state leaves the stored state unchanged.
  mutating func takeEventState(of response: HTTPResponse) {
    guard events.hasDeviceState, let state = (try? JSON(parsing: response.body))?["deviceEventState"]?.object else {
      return
    }
    if client.deviceEventState == nil || !switches.has(.firstEventStateStays) { client.deviceEventState = state }
  }

  /// Begins a session. Returns the event that reports it.
  mutating func beginSession() -> TrackedEvent {
    session = Session(id: switches.has(.oneSessionID) ? client.clientID ?? "" : random.uuid(), start: now)
    return event(.internal, "session:start")
  }

  /// Ends the session. Returns the event that reports it; nil if no session was open.
  mutating func endSession() -> TrackedEvent? {
    guard let session else { return nil }
    defer { self.session = nil }
    let milliseconds = max(0, now - session.start)
    let duration = switches.has(.durationInSeconds) ? milliseconds / 1000 : milliseconds
    return event(.internal, "session:end", ["duration": .string(String(duration))])
  }
}
