import CLinux
import Glibc
import Synchronization

/// The process that begins all programs for the kit, so that whatever they start ends with them, and with the kit.
///
/// Each program has a supervisor between itself and the server, below which all its descendants stay. The end of the
/// kit, by `kill -9` too, closes the socket to the server and those to the supervisors, and they kill what is left.
package enum ForkServer {
  private struct Connection {
    let id: pid_t
    let socket: Int32
    /// Those that wait for a program.
    var free: [Supervisor] = []

    /// Whether the server is gone: it says nothing as long as it is there.
    var isLost: Bool {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) > 0
    }

    func close() {
      Glibc.close(socket)
      for supervisor in free { supervisor.dismiss() }
    }

    /// Collects a server that was killed, which gives its supervisors to the kit, and what waits of them.
    func bury() {
      waitpid(id, nil, 0)
      close()
    }
  }

  private static let connection = Mutex<Connection?>(nil)
  /// The children that the kit had before, which are nobody's subjects.
  private static let others = Mutex<Set<pid_t>?>(nil)
  private static let supervisors = Mutex<Set<pid_t>>([])

  /// Starts the server, where it does not run. The earlier the better: a fork of a small process is cheap.
  package static func prepare() { connection.withLock { _ = open(&$0) } }

  /// Ends whatever was begun and has not ended, and returns when all of it is gone.
  package static func close() {
    connection.withLock { connection in
      guard let open = connection.take() else { return }
      open.close()
      // A subject may have stopped it, and stop it again.
      var status = Int32(0)
      repeat { kill(open.id, SIGCONT) } while isStopped(waitpid(open.id, &status, WUNTRACED), status)
    }
    // One that was killed has left everything to the kit.
    killStrangers()
  }

  /// Whether a wait for a process must go on: it was interrupted, or the process has only been stopped.
  private static func isStopped(_ waited: pid_t, _ status: Int32) -> Bool {
    waited < 0 ? errno == EINTR : status & 0xff == 0x7f
  }

  /// Lets the server go on where a subject has stopped it.
  static func resume() { _ = connection.withLock { $0.map { kill($0.id, SIGCONT) } } }

  /// A supervisor that waits for a program; nil where there is none.
  ///
  /// Those of a server that was killed take no other: of what they leave when they are killed too, nobody would be told
  /// that outlives the kit.
  static func takeFree() -> Supervisor? {
    connection.withLock { connection in
      if connection?.isLost == true { connection.take()?.bury() }
      return connection?.free.popLast()
    }
  }

  /// Takes back a supervisor below which nothing is left.
  static func keep(free supervisor: Supervisor) {
    connection.withLock { connection in
      if connection == nil { supervisor.dismiss() } else { connection?.free.append(supervisor) }
    }
  }

  static func note(supervisor id: pid_t) { supervisors.withLock { _ = $0.insert(id) } }

  static func forget(supervisor id: pid_t) { supervisors.withLock { _ = $0.remove(id) } }

  /// Kills what came to the kit because its supervisor and the server were killed, until nothing of it is left.
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

  /// Asks for a program below a new supervisor, with these descriptors as 0, 1 and 2: 0, or an errno. How it began is said
  /// on `control`.
  static func begin(_ request: SpawnRequest, streams: [Int32], control: Int32) -> Int32 {
    connection.withLock { connection in
      for _ in 0..<2 {
        let code = open(&connection)
        guard code == 0, let socket = connection?.socket else { return code }
        let failure = request.send(to: socket, streams: streams, control: control)
        if failure != EPIPE && failure != ECONNRESET { return failure }
        // Somebody has killed the server.
        connection.take()?.bury()
      }
      return EPIPE
    }
  }

  private static func open(_ connection: inout Connection?) -> Int32 {
    if connection != nil { return 0 }
    // What is left below a server that was itself killed comes to the kit.
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
