import ConformanceTranscript
import HTTPValues
import JSONKit

/// An event from an adapter's process. Events come in the order in which they happened.
package enum AdapterEvent: Hashable, Sendable {
  /// The reply to the command with this id.
  case reply(id: Int, CommandOutcome)
  /// The command with this id was answered only because the app was being ended. The answer is not an outcome of the
  /// SDK.
  case ended(id: Int)
  /// The SDK called the callback with this handle.
  case callback(handle: String, value: JSON)
  /// Bytes on stderr, as whole lines if possible.
  case output(Octets)
  /// The adapter broke the protocol: what was found and what was expected.
  case breach(String)
  /// Like ``breach(_:)``, about a command that was sent before the last launch.
  case earlierBreach(String)
  /// The command with this id got no reply within its limit; the process is killed.
  case hung(id: Int, command: String)
  /// The process ended with this code. Nothing follows.
  case exited(code: Int)
  /// The process was ended by this signal. Nothing follows.
  case signalled(Int)
}

/// How a process ended.
package enum AdapterExit: Hashable, Sendable, CustomStringConvertible {
  case exited(code: Int)
  case signalled(Int)

  package var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let signal): "was ended by signal \(signal)"
    }
  }
}

/// The exit of a process, and its cause.
package struct AdapterEnding: Hashable, Sendable {
  /// The party that ended the process, and the means.
  package enum Cause: String, CaseIterable, Sendable {
    /// It ended without being asked.
    case itself
    /// It followed `shutdown`.
    case shutdown
    /// It did not follow `shutdown`, but SIGTERM.
    case terminated
    /// It followed neither and was killed.
    case forced
    /// It was killed because a case asked for that.
    case killed
    /// It was killed because it did not reply.
    case hung
    /// It was killed because it broke the protocol beyond repair.
    case broke

    /// Whether the process got no time to end by itself.
    var isKill: Bool { [.killed, .hung, .broke, .forced].contains(self) }
  }

  package var cause: Cause
  package var exit: AdapterExit
  /// The names of the processes that it had started and left running.
  package var leftovers: [String]

  package init(cause: Cause, exit: AdapterExit, leftovers: [String] = []) {
    self.cause = cause
    self.exit = exit
    self.leftovers = leftovers
  }

  /// The ending of a process that the kit may have wanted to end. If the process ended before the kill, the kill was
  /// not the cause.
  init(intent: Cause, exit: AdapterExit, leftovers: [String] = []) {
    let isLate = intent.isKill && exit != .signalled(9)
    // SIGTERM comes before SIGKILL. On a busy machine the process may end of it only after the kill was sent.
    let cause: Cause = intent == .forced && exit == .signalled(15) ? .terminated : isLate ? .itself : intent
    self.init(cause: cause, exit: exit, leftovers: leftovers)
  }
}
