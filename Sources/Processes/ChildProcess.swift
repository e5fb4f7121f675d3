import CLinux
import Glibc

/// A process that the kit starts, such as an adapter. It has its own streams and session, and a supervisor for itself
/// and its children.
///
/// Only ``start(_:in:)``, ``reap(atOnce:)`` and ``endLeftovers(since:)`` block.
package struct ChildProcess: Sendable {
  /// The process id, which is also the id of its session and group.
  package let id: pid_t
  /// A descriptor that is readable once the process has ended.
  package let exit: Int32
  private let supervision: Supervision
  /// The kit's end of the process's stdin. Writing does not block.
  package let input: Int32
  /// The kit's end of the process's stdout. Reading does not block.
  package let output: Int32
  /// The kit's end of the process's stderr. Reading does not block.
  package let errors: Int32

  /// Checks that a program exists and can be executed. The search uses the kit's own `PATH`.
  package static func find(_ program: String) throws(ProgramFailure) {
    _ = try path(of: ProgramCommand(executable: program))
  }

  private static func path(of command: ProgramCommand) throws(ProgramFailure) -> String {
    try ExecutableSearch.path(
      of: command.executable, searchPath: variable("PATH", of: command) ?? "/usr/local/bin:/usr/bin:/bin")
  }

  /// Starts the command in a folder; nil is the kit's working directory. The process gets three pipes, no other
  /// descriptor, and default signal dispositions.
  package static func start(_ command: ProgramCommand, in folder: String? = nil) throws(ProgramFailure) -> ChildProcess
  {
    let path = try path(of: command)
    let input = try Pipe.open()
    let output = try Pipe.open(orClose: [input])
    let errors = try Pipe.open(orClose: [input, output])
    defer { for end in [input.readEnd, output.writeEnd, errors.writeEnd] { close(end) } }
    let request = SpawnRequest(
      path: path, folder: folder, words: [command.executable] + command.arguments,
      variables: environment(of: command))
    func give(up reason: Int32) -> ProgramFailure {
      for end in [input.writeEnd, output.readEnd, errors.readEnd] { close(end) }
      return failure(command, path, reason)
    }
    switch Supervision.begin(request, streams: [input.readEnd, output.writeEnd, errors.writeEnd]) {
    case .failure(let failure): throw give(up: failure.code)
    case .success(let (id, supervision)):
      let exit = clinux_pidfd_open(id)
      guard exit >= 0 else {
        let reason = errno
        _ = supervision.end(atOnce: true)
        throw give(up: reason)
      }
      for end in [input.writeEnd, output.readEnd, errors.readEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
      return ChildProcess(
        id: id, exit: exit, supervision: supervision, input: input.writeEnd, output: output.readEnd,
        errors: errors.readEnd)
    }
  }

  /// A descriptor that is readable once the supervisor has ended.
  var supervisor: Int32 { supervision.socket }

  /// Whether the process has ended by now. Must not be called after ``reap(atOnce:)``.
  package var hasExited: Bool {
    var entry = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// A sample of the time that the process and its children have waited for a processor. Must not be called after
  /// ``reap(atOnce:)``.
  package var processorWait: ProcessorWait.Sample {
    // The process itself is always included, even if it is not among the running descendants.
    ProcessorWait.of(Set(supervision.descendants.map(\.id)).union([id]))
  }

  /// Sends a signal to every process in the process's group. Must not be called after ``reap(atOnce:)``, since the id
  /// may belong to another process then.
  package func signal(_ number: Int32) { Glibc.kill(-id, number) }

  package struct Ending: Sendable {
    package var exit: ProcessExit
    /// The commands of the processes that the program had started and that still ran after its end.
    package var leftovers: [String]
  }

  /// Kills all processes that are left below the supervisor, in any session, and waits until they are gone.
  ///
  /// - Parameter atOnce: whether the children are killed at once and not reported. Pass false if the process had time
  ///   to end its children. The children then get a little more time, and the children that still run are reported.
  @discardableResult
  package func reap(atOnce: Bool) -> Ending {
    let ending = supervision.end(atOnce: atOnce)
    if ending.status == nil {
      signal(SIGKILL)
      ForkServer.killStrangers()
    }
    let survivors = ending.survivors > 0 ? ["\(ending.survivors) processes that cannot be killed"] : []
    return Ending(
      exit: ending.status.map(Self.exit) ?? .signalled(Int(SIGKILL)),
      leftovers: (atOnce ? [] : ending.leftovers) + survivors)
  }

  /// Kills all processes below the supervisor that were started since an instant, except the program itself. Returns
  /// their commands. Must not be called after ``reap(atOnce:)``.
  package func endLeftovers(since begin: Supervision.Instant) -> [String] {
    supervision.endLeftovers(of: id, since: begin)
  }

  private static func exit(_ status: Int32) -> ProcessExit {
    let signal = status & 0x7F
    return signal == 0 ? .exited(code: Int(status >> 8 & 0xFF)) : .signalled(Int(signal))
  }

  private static func failure(_ command: ProgramCommand, _ path: String, _ code: Int32) -> ProgramFailure {
    let reason: String? =
      switch code {
      case ENOENT: "the interpreter that its first line names does not exist"
      case ENOEXEC: "it is neither a program for this machine nor a script that begins with #!"
      case E2BIG: "its arguments and environment are too long"
      default: nil
      }
    return ProgramFailure.notStarted("the program '\(path)' cannot be started", errno: code, otherwise: reason)
  }
}

extension ChildProcess {
  private static func variable(_ name: String, of command: ProgramCommand) -> String? {
    command.environment[name] ?? inherited(name)
  }

  /// A variable of the kit's own environment.
  static func inherited(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The kit's environment with the variables of the command, as `NAME=value`.
  private static func environment(of command: ProgramCommand) -> [String] {
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if command.environment[String(text.unicodeScalars.prefix { $0 != "=" })] == nil { variables.append(text) }
      next += 1
    }
    return variables + command.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
