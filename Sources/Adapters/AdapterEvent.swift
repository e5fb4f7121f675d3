import ConformanceTranscript
import HTTPValues
import JSONKit

/// An event from an adapter's process. Events come in the order in which they happened.
package enum AdapterEvent: Hashable, Sendable {
  case reply(id: Int, CommandOutcome)
  /// The command with this id was answered only because the kit ended the app. The answer is not an outcome of the SDK.
  case ended(id: Int)
  /// The SDK called the callback with this handle.
  case callback(handle: String, value: JSON)
  /// Bytes on stderr, as whole lines if possible.
  case output(Octets)
  /// The adapter broke the adapter protocol. The text describes the message that was found, and the message that was
  /// expected.
  case breach(String)
  /// Like ``breach(_:)``, but the breach is about a command that was sent before the last launch.
  case earlierBreach(String)
  /// The command with this id got no reply within its limit; the process is killed.
  case hung(id: Int, command: String)
  /// The process ended with this exit code. This is the last event.
  case exited(code: Int)
  /// A signal with this number ended the process. This is the last event.
  case signalled(Int)
}
