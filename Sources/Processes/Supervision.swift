import CLinux
import Glibc
import Synchronization

/// One program and its supervisor, from the start to the end of the program.
package struct Supervision: Sendable {
  /// How a program ended, and the processes that it left.
  struct Ending: Sendable {
    /// The wait status of the program; nil if it is unknown, since the supervisor was killed.
    var status: Int32?
    /// The commands of the processes that still ran below the supervisor when the program had ended.
    var leftovers: [String]
    /// The number of processes that could not be killed.
    var survivors: Int
  }

  private final class Term: Sendable {
    struct State {
      /// Whether the program has ended. Later processes below the supervisor belong to another program.
      var isOver = false
      /// Checks whether the program is the only process below its supervisor; nil before the first check.
      var onlyChild: OnlyChild?
    }

    let state = Mutex(State())
  }

  /// The open files that show whether a program is the only process below its supervisor.
  private final class OnlyChild: Sendable {
    private let child: clinux_only_child

    /// Opens the files in `/proc` that list the children and threads. Returns nil if one of them cannot be opened.
    init?(_ program: pid_t, below supervisor: pid_t) {
      var child = clinux_only_child()
      guard clinux_only_child_open(&child, supervisor, program) else { return nil }
      self.child = child
    }

    deinit { withUnsafePointer(to: child) { clinux_only_child_close($0) } }

    var isAlone: Bool { withUnsafePointer(to: child) { clinux_is_only_child($0) } }
  }

  private let supervisor: Supervisor
  private let term = Term()

  /// Starts a program. Returns its process, or the reason of the failure.
  static func begin(
    _ request: SpawnRequest, streams: [Int32]
  ) -> Result<(program: pid_t, supervision: Supervision), Supervisor.Failure> {
    Supervisor.begin(request, streams: streams).map { ($0.program, Supervision(supervisor: $0.supervisor)) }
  }

  private init(supervisor: Supervisor) { self.supervisor = supervisor }

  /// The supervisor's process.
  var id: pid_t { supervisor.id }

  /// A descriptor that is readable once the supervisor has ended. Must not be used after ``end(atOnce:)``.
  var socket: Int32 { supervisor.socket }

  /// Ends the program and all processes below its supervisor. Blocks until none is left.
  ///
  /// - Parameter atOnce: whether the children are killed at once and not reported. Otherwise they get time to end by
  ///   themselves.
  func end(atOnce: Bool) -> Ending {
    term.state.withLock { $0 = Term.State(isOver: true) }
    guard let (ended, leftovers) = supervisor.endProgram(atOnce: atOnce) else {
      return Ending(status: nil, leftovers: [], survivors: 0)
    }
    return Ending(
      status: ended.status < 0 ? nil : ended.status,
      leftovers: leftovers.split(separator: "\n").map { Self.command($0) }, survivors: Int(ended.survivors))
  }

  /// Kills the processes below the supervisor that were started since an instant, inside and outside the program's
  /// session. The program itself keeps running. Blocks until the killed processes are gone. Returns their commands.
  func endLeftovers(of program: pid_t, since begin: Instant) -> [String] {
    // Usually the program is alone, and this check is faster.
    if isAlone(program) { return [] }
    var names: [pid_t: String] = [:]
    for pass in 0..<Self.passes {
      // Nothing is killed in the first passes, since a process may already be ending.
      let isOver = look { processes in
        let young = processes.filter { $0.id != program && $0.begun > begin.ticks }
        if pass >= Self.patientPasses { for process in young { Self.end(process.id, &names) } }
        return young.isEmpty
      }
      if isOver { break }
      usleep(Self.pause)
    }
    return names.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func end(_ process: pid_t, _ names: inout [pid_t: String]) {
    if names[process] == nil { names[process] = description(of: process) }
    kill(process, SIGKILL)
  }

  /// The largest number of passes, the number of first passes that kill nothing, and the pause between two passes in
  /// microseconds.
  private static let (passes, patientPasses, pause) = (500, 50, UInt32(5_000))

  /// The processes below the supervisor: the program, and its descendants in any session. Empty once the program has
  /// ended.
  var descendants: [clinux_process] { look(\.self) }

  /// Calls a closure with the processes below the supervisor. The supervisor takes no other program during this call.
  private func look<Outcome>(_ body: ([clinux_process]) -> Outcome) -> Outcome {
    term.state.withLock { body($0.isOver ? [] : supervisor.descendants) }
  }

  /// Whether the program is the only process below the supervisor. False, too, if this check cannot decide it, so that
  /// a full search is needed.
  private func isAlone(_ program: pid_t) -> Bool {
    term.state.withLock { state in
      guard !state.isOver else { return false }
      if state.onlyChild == nil { state.onlyChild = OnlyChild(program, below: supervisor.id) }
      return state.onlyChild?.isAlone ?? false
    }
  }

  /// The command in a line such as `4711 sleep 60`, without the process id, which differs in each run.
  private static func command(_ line: Substring) -> String { String(line.drop { $0 != " " }.dropFirst()) }

  private static func description(of process: pid_t) -> String {
    var text = [CChar](repeating: 0, count: 400)
    clinux_describe(process, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Supervision {
  /// An instant of the clock that the system uses for the start times of processes. Its resolution is a hundredth of a
  /// second.
  package struct Instant: Sendable {
    fileprivate let ticks: UInt64

    package static var now: Instant { Instant(ticks: clinux_now()) }
  }
}
