import CLinux
import Glibc

/// A process that stands above one program after the other, and the kit's line to it.
///
/// To fork one for each program, and to take its memory apart again, costs more than all else that it does.
struct Supervisor: Sendable {
  /// Its process.
  let id: pid_t
  /// Readable when it has ended.
  let socket: Int32

  struct Failure: Error { let code: Int32 }

  typealias Beginning = Result<(program: pid_t, supervisor: Supervisor), Failure>

  /// Begins a program below a supervisor that is free, or below a new one: its process, or the reason why not.
  static func begin(_ request: SpawnRequest, streams: [Int32]) -> Beginning {
    while let supervisor = ForkServer.takeFree() {
      if request.send(to: supervisor.socket, streams: streams) == 0, let begun = supervisor.hearBeginning() {
        return beginning(begun, supervisor)
      }
      // Somebody has killed it. What it began by then, the server kills.
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
      // A supervisor that says nothing could not be forked to its end.
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

  /// Ends the program and all below it, and gives what the supervisor says of it and the names of what was left; nil when
  /// it was killed. Blocks until nothing is left.
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

  /// Ends it, where it has not ended. One whose server was killed has become a child of the kit, and is collected.
  func dismiss() {
    close(socket)
    if waitpid(id, nil, WNOHANG) == 0 {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    ForkServer.forget(supervisor: id)
  }

  /// Waits until a supervisor that was killed is dead. Its files are closed before its children get another parent, so that
  /// the end of its line alone does not say that they can be found.
  private func awaitDeath() {
    let process = clinux_pidfd_open(id)
    guard process >= 0 else { return }
    defer { close(process) }
    var entry = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, Self.deathLimit) < 0, errno == EINTR {}
  }

  /// How many milliseconds the death of a process may take.
  private static let deathLimit: Int32 = 10_000

  /// What runs below it: the program, and whatever that started, in any session.
  var descendants: [clinux_process] {
    [clinux_process](unsafeUninitializedCapacity: Self.mostProcesses) { buffer, count in
      count = Int(clinux_descendants(id, buffer.baseAddress, Int32(buffer.count)))
    }
  }

  private static let mostProcesses = 1024

  /// After how many milliseconds it is looked whether somebody was stopped.
  private static let silence: Int32 = 100

  /// Reads exactly as much as there is room for; false when the other side ends before. A subject may have stopped those
  /// from whom it comes: where nothing comes for a while, they go on.
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
