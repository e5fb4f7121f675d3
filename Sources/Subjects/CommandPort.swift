import JSONKit

/// A port that carries out the commands of a case: the driver of an SDK, or the hooks of a provisioned server.
package protocol CommandPort: Sendable {
  /// True if a failed command ends the case, since the failure is not evidence about the subject. False if the case
  /// continues, and claims can judge the failure.
  var mustSucceed: Bool { get }

  /// Begins a command and returns its number. The reply is not returned but recorded in the transcript.
  func call(_ command: String, params: JSON, label: String?) throws -> Int
}
