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
