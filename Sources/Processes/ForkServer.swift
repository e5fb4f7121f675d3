import CLinux
import Glibc
import Synchronization

/// A process that starts all programs for the kit. It ensures that the children of a program end with the program, and
/// that all programs end with the kit.
///
/// Between the server and each program is a supervisor process, and all descendants of the program stay below the
/// supervisor. When the kit ends, even by `kill -9`, its sockets to the server and to the supervisors close. The server
/// and the supervisors then kill all processes that are left.
package enum ForkServer {
  private struct Connection {
    let id: pid_t
    let socket: Int32
    /// The idle supervisors, which have no program.
    var free: [Supervisor] = []

    /// Whether the server has ended. A running server sends nothing on this socket, so the socket is readable only
    /// after the end of the server.
    var isLost: Bool {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) > 0
    }

    func close() {
      Glibc.close(socket)
      for supervisor in free { supervisor.dismiss() }
    }

    /// Reaps a server that was killed, and its idle supervisors. They have become children of the kit.
    func bury() {
      waitpid(id, nil, 0)
      close()
    }
  }

  private static let connection = Mutex<Connection?>(nil)
  /// The children that the kit had before the server was started. They do not belong to subjects.
  private static let others = Mutex<Set<pid_t>?>(nil)
  private static let supervisors = Mutex<Set<pid_t>>([])

  /// Starts the server if it does not run. Should be called early, while the kit is small, since forking a small
  /// process is cheap.
  package static func prepare() { connection.withLock { _ = open(&$0) } }

  /// Ends all running programs, and returns once they are gone.
  package static func close() {
    connection.withLock { connection in
      guard let open = connection.take() else { return }
      open.close()
      // A subject may have stopped the server, and may stop it again.
      var status = Int32(0)
      repeat { kill(open.id, SIGCONT) } while isStopped(waitpid(open.id, &status, WUNTRACED), status)
    }
    // The children of a server that was killed belong to the kit now.
    killStrangers()
  }

  /// Whether the kit must wait again for a process: the wait was interrupted, or the process was stopped and has not
  /// ended.
  private static func isStopped(_ waited: pid_t, _ status: Int32) -> Bool {
    waited < 0 ? errno == EINTR : status & 0xff == 0x7f
  }

  /// Continues the server if a subject has stopped it.
  static func resume() { _ = connection.withLock { $0.map { kill($0.id, SIGCONT) } } }

  /// Returns an idle supervisor; nil if every supervisor has a program.
  ///
  /// Supervisors of a server that was killed are not used again. If such a supervisor were killed, too, and the kit
  /// then ended, no process could kill the supervisor's program.
  static func takeFree() -> Supervisor? {
    connection.withLock { connection in
      if connection?.isLost == true { connection.take()?.bury() }
      return connection?.free.popLast()
    }
  }

  /// Stores a supervisor without a program for the next program.
  static func keep(free supervisor: Supervisor) {
    connection.withLock { connection in
      if connection == nil { supervisor.dismiss() } else { connection?.free.append(supervisor) }
    }
  }

  static func note(supervisor id: pid_t) { supervisors.withLock { _ = $0.insert(id) } }

  static func forget(supervisor id: pid_t) { supervisors.withLock { _ = $0.remove(id) } }

  /// Kills the processes that have become children of the kit because their supervisor and the server were killed.
  /// Returns once no such process is left.
  static func killStrangers() {
    for _ in 0..<passes {
      let known = (others.withLock(\.self) ?? []).union(supervisors.withLock(\.self))
      let server = connection.withLock { $0?.id }
      let strangers = children.filter { $0 != server && !known.contains($0) }
      if strangers.isEmpty { return }
      for stranger in strangers {
        kill(stranger, SIGKILL)
        waitpid(stranger, nil, 0)
      }
    }
  }

  private static let passes = 1000

  private static var children: [pid_t] {
    let room = 1024
    return [clinux_process](unsafeUninitializedCapacity: room) { buffer, count in
      count = Int(clinux_children(getpid(), buffer.baseAddress, Int32(buffer.count)))
    }.map(\.id)
  }

  /// Starts a program below a new supervisor. `streams` become the descriptors 0, 1 and 2 of the program, and the
  /// supervisor reports the start on `control`. Returns 0 or an errno.
  static func begin(_ request: SpawnRequest, streams: [Int32], control: Int32) -> Int32 {
    connection.withLock { connection in
      for _ in 0..<2 {
        let code = open(&connection)
        guard code == 0, let socket = connection?.socket else { return code }
        let failure = request.send(to: socket, streams: streams, control: control)
        if failure != EPIPE && failure != ECONNRESET { return failure }
        // The server was killed.
        connection.take()?.bury()
      }
      return EPIPE
    }
  }

  private static func open(_ connection: inout Connection?) -> Int32 {
    if connection != nil { return 0 }
    // If the server is killed, the kit adopts the processes below the server.
    if clinux_adopt_orphans() == 0 { others.withLock { others in others = others ?? Set(children) } }
    var socket = Int32(-1)
    let id = clinux_fork_server_start(&socket)
    guard id > 0 else { return errno }
    connection = Connection(id: id, socket: socket)
    endsWithProcess
    return 0
  }

  private static let endsWithProcess: Void = { atexit { ForkServer.close() } }()
}
