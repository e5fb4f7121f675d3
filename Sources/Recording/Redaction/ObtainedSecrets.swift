import Synchronization

/// The secrets that a run obtains after it has begun, such as the token from a log-in. Every ``Redaction`` that refers
/// to this object replaces a secret as soon as the secret is added.
package final class ObtainedSecrets: Sendable {
  private struct State {
    var names: [String: String] = [:]
    var redaction: Redaction?
  }

  private let state = Mutex(State())

  package init() {}

  /// The redaction of these secrets; `nil` as long as there are no secrets.
  var redaction: Redaction? { state.withLock(\.redaction) }

  /// Adds a secret. `name` is the name of the provisioned value that contains it.
  package func add(_ secret: String, named name: String) {
    state.withLock { state in
      // A value may be obtained again, for another process. Evidence may still contain its former secret.
      state.names[secret] = name
      state.redaction = Redaction(
        secrets: Array(state.names.keys),
        names: Dictionary(state.names.map { ($0.value, $0.key) }) { first, _ in first }, vocabulary: [])
    }
  }
}
