import Synchronization

/// Secrets that a run obtains after it has begun, such as the token of a log-in. Every ``Redaction`` that has this list finds
/// them from then on.
package final class ObtainedSecrets: Sendable {
  private struct State {
    var names: [String: String] = [:]
    var redaction: Redaction?
  }

  private let state = Mutex(State())

  package init() {}

  /// What finds them; `nil` as long as there are none.
  var redaction: Redaction? { state.withLock(\.redaction) }

  /// Adds a secret, and the name of the value that it is.
  func add(_ secret: String, named name: String) {
    state.withLock { state in
      // A value may be obtained again, for another process: what it was before is still in its evidence.
      state.names[secret] = name
      state.redaction = Redaction(
        secrets: Array(state.names.keys),
        names: Dictionary(state.names.map { ($0.value, $0.key) }) { first, _ in first }, vocabulary: [])
    }
  }
}
