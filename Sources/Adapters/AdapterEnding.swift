import Processes

/// The exit of a process, and its cause.
package struct AdapterEnding: Hashable, Sendable {
  /// The reason why the process ended.
  package enum Cause: String, CaseIterable, Sendable {
    /// The process ended although the kit had not asked it to end.
    case itself
    /// The process ended after `shutdown`.
    case shutdown
    /// The process ignored `shutdown` and ended after SIGTERM.
    case terminated
    /// The process ignored `shutdown` and SIGTERM, and the kit sent SIGKILL.
    case forced
    /// The kit killed the process because a case asked for it.
    case killed
    /// The kit killed the process because a command got no reply in time.
    case hung
    /// The kit killed the process because of a breach of the protocol after which no message can be trusted.
    case broke

    /// Whether the kit sent SIGKILL to the process. It then also kills the children of the process at once.
    var isKill: Bool { [.killed, .hung, .broke, .forced].contains(self) }
  }

  package var cause: Cause
  package var exit: ProcessExit
  /// The names of the processes that the adapter had started, and that still ran when the adapter ended.
  package var leftovers: [String]

  package init(cause: Cause, exit: ProcessExit, leftovers: [String] = []) {
    self.cause = cause
    self.exit = exit
    self.leftovers = leftovers
  }

  /// The ending of a process. `intent` is the cause that the kit noted when it sent its last signal. If the process
  /// ended before that signal reached it, this initializer corrects the cause.
  init(intent: Cause, exit: ProcessExit, leftovers: [String] = []) {
    let isLate = intent.isKill && exit != .signalled(9)
    // The kit sends SIGTERM before SIGKILL. On a busy machine, a process that SIGTERM ends may still run when the kit
    // sends SIGKILL.
    let cause: Cause = intent == .forced && exit == .signalled(15) ? .terminated : isLate ? .itself : intent
    self.init(cause: cause, exit: exit, leftovers: leftovers)
  }
}
