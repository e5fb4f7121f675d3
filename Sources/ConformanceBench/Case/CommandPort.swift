import ConformanceModel
import JSONKit

/// A port that takes the commands of a case: the driver of an SDK, or what provisions a server.
protocol CommandPort: Sendable {
  /// Whether a command that fails ends the case: it then says nothing about the subject.
  var mustSucceed: Bool { get }

  /// Begins a command and gives its number; its reply reaches the recorder.
  func call(_ command: String, params: JSON, label: String?) throws -> Int
}
