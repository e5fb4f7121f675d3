import CLinux
import Glibc

/// A process that supervises one program after another, and the kit's connection to this process.
///
/// A supervisor is reused, since forking a supervisor for each program and releasing its memory would take more time
/// than all other work of a start.
struct Supervisor: Sendable {
  let id: pid_t
  /// A descriptor that is readable once the supervisor has ended.
  let socket: Int32

  struct Failure: Error { let code: Int32 }

  typealias Beginning = Result<(program: pid_t, supervisor: Supervisor), Failure>

  /// Starts a program below an idle supervisor, or below a new supervisor. Returns the process of the program, or the
  /// reason of the failure.
  static func begin(_ request: SpawnRequest, streams: [Int32]) -> Beginning {
    while let supervisor = ForkServer.takeFree() {
      if request.send(to: supervisor.socket, streams: streams) == 0, let begun = supervisor.hearBeginning() {
        return beginning(begun, supervisor)
      }
      // The supervisor was killed. If it had started the program, the fork server kills the program.
      supervisor.dismiss()
    }
    return beginBelowNewOne(request, streams: streams)
  }

  private static func beginBelowNewOne(_ request: SpawnRequest, streams: [Int32]) -> Beginning {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return .failure(Failure(code: errno)) }
    let code = ForkServer.begin(request, streams: streams, control: ends[1])
    close(ends[1])
    guard code == 0, let begun = Supervisor(id: 0, socket: ends[0]).hearBeginning(), begun.supervisor > 0 else {
      close(ends[0])
      // The fork of the supervisor failed.
      return .failure(Failure(code: code != 0 ? code : EAGAIN))
    }
    ForkServer.note(supervisor: begun.supervisor)
    return beginning(begun, Supervisor(id: begun.supervisor, socket: ends[0]))
  }

  private static func beginning(_ begun: clinux_begun, _ supervisor: Supervisor) -> Beginning {
    if begun.error == 0 { return .success((begun.program, supervisor)) }
    ForkServer.keep(free: supervisor)
    return .failure(Failure(code: begun.error))
  }

  private func hearBeginning() -> clinux_begun? {
    var begun = clinux_begun()
    return withUnsafeMutableBytes(of: &begun) { read(into: $0) } ? begun : nil
  }

  /// Ends the program and all processes below the supervisor. Returns the supervisor's report and the commands of the
  /// processes that were left; nil if the supervisor was killed. Blocks until no process is left.
  func endProgram(atOnce: Bool) -> (ended: clinux_ended, leftovers: String)? {
    var asked = atOnce ? clinux_ask_kill : clinux_ask_end
    _ = send(socket, &asked, 1, Int32(MSG_NOSIGNAL))
    var ended = clinux_ended()
    guard withUnsafeMutableBytes(of: &ended, { read(into: $0) }) else {
      awaitDeath()
      dismiss()
      return nil
    }
    var text = [UInt8](repeating: 0, count: Int(ended.length))
    let isWhole = text.withUnsafeMutableBytes { read(into: $0) }
    if isWhole, ended.is_free != 0 { ForkServer.keep(free: self) } else { dismiss() }
    return (ended, String(decoding: isWhole ? text : [], as: UTF8.self))
  }

  /// Ends the supervisor if it still runs. If the fork server was killed, the supervisor has become a child of the kit,
  /// which then reaps it.
  func dismiss() {
    close(socket)
    if waitpid(id, nil, WNOHANG) == 0 {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    ForkServer.forget(supervisor: id)
  }

  /// Waits until a supervisor that was killed is dead. The system closes the files of the supervisor before it gives
  /// the supervisor's children another parent. So a closed connection does not mean that the kit can find the children
  /// already.
  private func awaitDeath() {
    let process = clinux_pidfd_open(id)
    guard process >= 0 else { return }
    defer { close(process) }
    var entry = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, Self.deathLimit) < 0, errno == EINTR {}
  }

  /// The longest time to wait for the death of a process, in milliseconds.
  private static let deathLimit: Int32 = 10_000

  /// The processes below the supervisor: the program, and its descendants in any session.
  var descendants: [clinux_process] {
    [clinux_process](unsafeUninitializedCapacity: Self.mostProcesses) { buffer, count in
      count = Int(clinux_descendants(id, buffer.baseAddress, Int32(buffer.count)))
    }
  }

  private static let mostProcesses = 1024

  /// A time in milliseconds. If no data comes for this time, the kit sends SIGCONT to the server and the supervisor.
  private static let silence: Int32 = 100

  /// Fills the buffer. Returns false if the connection ends before. A subject may have stopped the server or the
  /// supervisor, so both get SIGCONT if no data comes for a while.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < buffer.count {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, Self.silence) == 0 {
        ForkServer.resume()
        if id > 0 { kill(id, SIGCONT) }
        continue
      }
      let count = recv(socket, buffer.baseAddress?.advanced(by: done), buffer.count - done, 0)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
