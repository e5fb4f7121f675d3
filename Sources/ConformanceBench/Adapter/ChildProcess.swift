import CLinux
import Glibc

/// A process of an adapter, or of another program for the kit: its streams, and a session of its own so that whatever it starts can be ended with it.
///
/// Nothing here waits, except ``reap()`` once everything in the group has been killed.
struct ChildProcess: Sendable {
  /// Its process id, which is the id of its session and group too.
  let id: pid_t
  /// Readable when the process has ended.
  let exit: Int32
  /// Where its stdin is written. Does not block.
  let input: Int32
  /// Where its stdout is read. Does not block.
  let output: Int32
  /// Where its stderr is read. Does not block.
  let errors: Int32

  /// Finds the program of a command that adds nothing to the environment.
  static func find(_ program: String) throws(AdapterFailure) {
    _ = try path(of: AdapterCommand(executable: program))
  }

  private static func path(of command: AdapterCommand) throws(AdapterFailure) -> String {
    try ExecutableSearch.path(
      of: command.executable, searchPath: variable("PATH", of: command) ?? "/usr/local/bin:/usr/bin:/bin")
  }

  /// Starts the command, in a folder or where the kit is. The process gets three pipes, no other descriptor, and default
  /// signal dispositions.
  static func start(_ command: AdapterCommand, in folder: String? = nil) throws(AdapterFailure) -> ChildProcess {
    // Orphans of the adapter become children of the kit, so that the kit sees them end and no zombie stays.
    _ = clinux_adopt_orphans()
    let path = try path(of: command)
    let input = try Pipe.open()
    let output = try Pipe.open(orClose: [input])
    let errors = try Pipe.open(orClose: [input, output])
    defer { for end in [input.readEnd, output.writeEnd, errors.writeEnd] { close(end) } }
    var id = pid_t(0)
    let code = SpawnPlan(streams: [input.readEnd, output.writeEnd, errors.writeEnd], folder: folder)
      .spawn(&id, path, [command.executable] + command.arguments, environment(of: command))
    let exit = code == 0 ? clinux_pidfd_open(id) : -1
    guard exit >= 0 else {
      let reason = code == 0 ? errno : code
      if code == 0 { abandon(id) }
      for end in [input.writeEnd, output.readEnd, errors.readEnd] { close(end) }
      throw failure(command, path, reason)
    }
    for end in [input.writeEnd, output.readEnd, errors.readEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    LivingProcesses.add(id)
    return ChildProcess(id: id, exit: exit, input: input.writeEnd, output: output.readEnd, errors: errors.readEnd)
  }

  /// Whether the process has ended by now. Only before ``reap()``.
  var hasExited: Bool {
    var entry = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Sends a signal to every process of the group. Only before ``reap()``: afterwards the id may mean another one.
  func signal(_ number: Int32) { Glibc.kill(-id, number) }

  /// Kills what is left of the group and waits until all of it is gone: how the adapter itself ended.
  func reap() -> AdapterExit {
    signal(SIGKILL)
    var exit = AdapterExit.signalled(Int(SIGKILL))
    while true {
      var status: Int32 = 0
      let ended = waitpid(-id, &status, 0)
      if ended == id { exit = Self.exit(status) }
      if ended < 0, errno != EINTR {
        LivingProcesses.remove(id)
        return exit
      }
    }
  }

  private static func exit(_ status: Int32) -> AdapterExit {
    let signal = status & 0x7F
    return signal == 0 ? .exited(code: Int(status >> 8 & 0xFF)) : .signalled(Int(signal))
  }

  private static func abandon(_ id: pid_t) {
    Glibc.kill(-id, SIGKILL)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  private static func failure(_ command: AdapterCommand, _ path: String, _ code: Int32) -> AdapterFailure {
    let reason: String? =
      switch code {
      case ENOENT: "the interpreter that its first line names does not exist"
      case ENOEXEC: "it is neither a program for this machine nor a script that begins with #!"
      case E2BIG: "its arguments and environment are too long"
      default: nil
      }
    return AdapterFailure.notStarted("the program '\(path)' cannot be started", errno: code, otherwise: reason)
  }
}

extension ChildProcess {
  private static func variable(_ name: String, of command: AdapterCommand) -> String? {
    command.environment[name] ?? getenv(name).map { String(cString: $0) }
  }

  /// The kit's environment with the command's put in, as `NAME=value`.
  private static func environment(of command: AdapterCommand) -> [String] {
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
