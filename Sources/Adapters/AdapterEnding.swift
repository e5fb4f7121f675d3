/// The exit of a process, and its cause.
import Processes

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
  package var exit: ProcessExit
  /// The names of the processes that it had started and left running.
  package var leftovers: [String]

  package init(cause: Cause, exit: ProcessExit, leftovers: [String] = []) {
    self.cause = cause
    self.exit = exit
    self.leftovers = leftovers
  }

  /// The ending of a process that the kit may have wanted to end. If the process ended before the kill, the kill was
  /// not the cause.
  init(intent: Cause, exit: ProcessExit, leftovers: [String] = []) {
    let isLate = intent.isKill && exit != .signalled(9)
    // SIGTERM comes before SIGKILL. On a busy machine the process may end of it only after the kill was sent.
    let cause: Cause = intent == .forced && exit == .signalled(15) ? .terminated : isLate ? .itself : intent
    self.init(cause: cause, exit: exit, leftovers: leftovers)
  }
}
