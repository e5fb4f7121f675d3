import CLinux
import Glibc

/// The kit's line to the supervisor of one program.
struct Supervision: Sendable {
  /// How a program ended, and what it left.
  struct Ending: Sendable {
    /// nil when nobody saw it, since its supervisor was killed.
    var status: Int32?
    /// What ran on below it, as it was called.
    var leftovers: [String]
    /// How many of those could not be killed.
    var survivors: Int
  }

  /// The supervisor's process.
  let id: pid_t
  /// Readable when it has ended.
  let socket: Int32

  /// Begins a program: its process, or the reason why not.
  static func begin(
    _ request: SpawnRequest, streams: [Int32]
  ) -> Result<(program: pid_t, supervision: Supervision), Failure> {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return .failure(Failure(code: errno)) }
    let code = ForkServer.begin(request, streams: streams, control: ends[1])
    close(ends[1])
    var begun = clinux_begun()
    let isTold = code == 0 && withUnsafeMutableBytes(of: &begun) { read(ends[0], into: $0) }
    guard isTold, begun.error == 0 else {
      close(ends[0])
      // A supervisor that says nothing could not be forked to its end.
      return .failure(Failure(code: code != 0 ? code : isTold ? begun.error : EAGAIN))
    }
    ForkServer.note(supervisor: begun.supervisor)
    return .success((begun.program, Supervision(id: begun.supervisor, socket: ends[0])))
  }

  struct Failure: Error { let code: Int32 }

  /// Ends the program and all below it. Blocks until nothing is left.
  ///
  /// - Parameter atOnce: whether what the program started gets no moment to end by itself.
  func end(atOnce: Bool) -> Ending {
    defer {
      close(socket)
      ForkServer.forget(supervisor: id)
    }
    var asked = atOnce ? clinux_ask_kill : clinux_ask_end
    _ = send(socket, &asked, 1, Int32(MSG_NOSIGNAL))
    var ended = clinux_ended()
    guard withUnsafeMutableBytes(of: &ended, { Self.read(socket, from: id, into: $0) }) else {
      awaitDeath()
      return Ending(status: nil, leftovers: [], survivors: 0)
    }
    var text = [UInt8](repeating: 0, count: Int(ended.length))
    let isWhole = text.withUnsafeMutableBytes { Self.read(socket, from: id, into: $0) }
    let lines = String(decoding: isWhole ? text : [], as: UTF8.self).split(separator: "\n")
    return Ending(
      status: ended.status < 0 ? nil : ended.status, leftovers: lines.map { Self.command($0) },
      survivors: Int(ended.survivors))
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

  /// Kills what was started below the program since an instant, its own processes and those that left its session
  /// alike, until nothing is left of it: what it was, as it was called.
  func endLeftovers(of program: pid_t, since begin: Instant) -> [String] {
    var names: [pid_t: String] = [:]
    for pass in 0..<Self.passes {
      let young = descendants.filter { $0.id != program && $0.begun > begin.ticks }
      if young.isEmpty { break }
      // What ends by itself now had been told to end.
      if pass >= Self.patientPasses {
        for process in young {
          if names[process.id] == nil { names[process.id] = Self.description(of: process.id) }
          kill(process.id, SIGKILL)
        }
      }
      usleep(Self.pause)
    }
    return names.sorted { $0.key < $1.key }.map(\.value)
  }

  /// How often is looked, how often nothing is killed yet, and how long between two looks in microseconds.
  private static let (passes, patientPasses, pause) = (500, 50, UInt32(5_000))
  private static let mostProcesses = 1024

  /// What runs below the supervisor: the program, and whatever it started, in any session.
  var descendants: [clinux_process] {
    [clinux_process](unsafeUninitializedCapacity: Self.mostProcesses) { buffer, count in
      count = Int(clinux_descendants(id, buffer.baseAddress, Int32(buffer.count)))
    }
  }

  /// `4711 sleep 60` without the number, which is another one in each run.
  private static func command(_ line: Substring) -> String { String(line.drop { $0 != " " }.dropFirst()) }

  private static func description(of process: pid_t) -> String {
    var text = [CChar](repeating: 0, count: 400)
    clinux_describe(process, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// After how many milliseconds it is looked whether somebody was stopped.
  private static let silence: Int32 = 100

  /// Reads exactly as much as there is room for; false when the other side ends before. A subject may have stopped those
  /// from whom it comes: where nothing comes for a while, they go on.
  private static func read(
    _ socket: Int32, from supervisor: pid_t? = nil, into buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var done = 0
    while done < buffer.count {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, silence) == 0 {
        ForkServer.resume()
        if let supervisor { kill(supervisor, SIGCONT) }
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

extension Supervision {
  /// An instant by which the system counts the ages of processes, in steps of a hundredth of a second.
  struct Instant: Sendable {
    fileprivate let ticks: UInt64

    static var now: Instant { Instant(ticks: clinux_now()) }
  }
}
