/// One check of `conform doctor`. The kit performs the checks in the order of this list.
package enum AdapterCheck: String, CaseIterable, Sendable {
  case handshake, framing, flushing
  case lineEnds = "line ends"
  case unknownCommand = "unknown command"
  case replies, concurrency, restart, storage, clock, quit, exit, speed

  /// The advice for an adapter that fails the check.
  ///
  /// - Parameter isCarried: whether the kit talks to the adapter through a carrier, and not through standard streams.
  package func fix(isCarried: Bool) -> String { (isCarried ? carriedFix : nil) ?? fix }

  /// The advice for an adapter behind a carrier, if it differs from the advice for a program.
  private var carriedFix: String? {
    switch self {
    case .handshake:
      "Answer 'hello' with the members that the table 'hello' of spec/kit/adapter-protocol.md lists. "
        + "spec/kit/carriers.md describes the way of the messages."
    case .framing: "Send one JSON object in each message, as spec/kit/carriers.md describes, and nothing else."
    case .flushing: "Send each reply at once, not at the end of the connection."
    case .concurrency: "Let every connection have an app of its own."
    case .exit: "Answer 'shutdown', then close the connection: a WebSocket with the code 1000."
    default: nil
    }
  }

  private var fix: String {
    switch self {
    case .handshake:
      "Read lines from stdin until it ends, and answer 'hello' with the members that the table 'hello' of "
        + "spec/kit/adapter-protocol.md lists."
    case .framing:
      "Write one JSON object a line to stdout and nothing else; redirect the language's print function to stderr."
    case .flushing: "Flush stdout after each line: it is a pipe, which most languages buffer."
    case .lineEnds: "Accept \\r\\n as the end of a line: strip white space from the end before the JSON is parsed."
    case .unknownCommand: "Answer a command that the adapter does not know with the error -32601."
    case .replies: "Answer each command exactly once, with the integer 'id' that the kit chose."
    case .concurrency:
      "Share no fixed file, port or lock between processes: the kit runs several adapters at once."
    case .restart:
      "Let 'launch' start a fresh app after 'quit' and after a kill, or declare \"instances\": \"one\" if a process "
        + "can be one app only."
    case .storage: "Keep what the SDK stores in the folder 'storage' of each 'launch', and leave other folders alone."
    case .clock:
      "Move the virtual clock only in 'advance', fire timers in the order of their due times, and answer with the due "
        + "time of the earliest timer that is left, in milliseconds after the launch."
    case .quit: "Cancel the timers, requests and callbacks of the app before 'quit' is answered with null."
    case .exit: "Answer 'shutdown', then exit with code 0; exit with code 0 also when stdin ends."
    case .speed: "Answer 'ping' at once: poll nothing, sleep nowhere, and start no process for a command."
    }
  }
}

/// The result of a check of an adapter.
package enum AdapterFinding: Hashable, Sendable {
  case passed(String)
  case failed(String)
  /// The program ended by itself, or the connection to the adapter ended, before the adapter answered `hello`.
  case ended(String)
  /// The adapter does not offer the function that the check is about.
  case notApplicable(String)
  /// The check was not performed, because an earlier check failed.
  case notReached
}

extension AdapterFinding {
  /// The advice for an adapter that ended by itself before it answered `hello`.
  package static func fixOfEnd(isCarried: Bool) -> String {
    isCarried
      ? "Repair the connection as spec/kit/carriers.md describes it, then try again."
      : "The program ended by itself: start it with the same command in a terminal, and repair what it reports there. Is "
        + "it built, and is the path right?"
  }
}
