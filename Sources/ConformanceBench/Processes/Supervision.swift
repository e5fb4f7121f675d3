import CLinux
import Glibc
import Synchronization

/// One program below its supervisor, from its beginning to its end.
struct Supervision: Sendable {
  /// How a program ended, and what it left.
  struct Ending: Sendable {
    /// nil when nobody saw it, since its supervisor was killed.
    var status: Int32?
    /// What ran on below the supervisor, as it was called.
    var leftovers: [String]
    /// How many of those could not be killed.
    var survivors: Int
  }

  private final class Term: Sendable {
    struct State {
      /// What is below a supervisor once the program has ended is another one's.
      var isOver = false
      /// Tells whether the program is alone, once that was asked for.
      var onlyChild: OnlyChild?
    }

    let state = Mutex(State())
  }

  /// What is open to see whether a program runs alone below its supervisor.
  private final class OnlyChild: Sendable {
    private let child: clinux_only_child

    /// nil where that cannot be opened.
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

  /// Begins a program: its process, or the reason why not.
  static func begin(
    _ request: SpawnRequest, streams: [Int32]
  ) -> Result<(program: pid_t, supervision: Supervision), Supervisor.Failure> {
    Supervisor.begin(request, streams: streams).map { ($0.program, Supervision(supervisor: $0.supervisor)) }
  }

  private init(supervisor: Supervisor) { self.supervisor = supervisor }

  /// The supervisor's process.
  var id: pid_t { supervisor.id }

  /// Readable when the supervisor has ended. Only before ``end(atOnce:)``.
  var socket: Int32 { supervisor.socket }

  /// Ends the program and all below it. Blocks until nothing is left.
  ///
  /// - Parameter atOnce: whether what the program started gets no moment to end by itself, and is not named.
  func end(atOnce: Bool) -> Ending {
    term.state.withLock { $0 = Term.State(isOver: true) }
    guard let (ended, leftovers) = supervisor.endProgram(atOnce: atOnce) else {
      return Ending(status: nil, leftovers: [], survivors: 0)
    }
    return Ending(
      status: ended.status < 0 ? nil : ended.status,
      leftovers: leftovers.split(separator: "\n").map { Self.command($0) }, survivors: Int(ended.survivors))
  }

  /// Kills what was started below the program since an instant, its own processes and those that left its session
  /// alike, until nothing is left of it: what it was, as it was called.
  func endLeftovers(of program: pid_t, since begin: Instant) -> [String] {
    // Mostly there is nothing, and this is the quicker look.
    if isAlone(program) { return [] }
    var names: [pid_t: String] = [:]
    for pass in 0..<Self.passes {
      // What ends by itself in the first passes had been told to end.
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

  /// How often is looked, how often nothing is killed yet, and how long between two looks in microseconds.
  private static let (passes, patientPasses, pause) = (500, 50, UInt32(5_000))

  /// What runs below the supervisor: the program, and whatever it started, in any session. Nothing once it has ended.
  var descendants: [clinux_process] { look(\.self) }

  /// Does something with what runs below the supervisor, which takes no other program meanwhile.
  private func look<Outcome>(_ body: ([clinux_process]) -> Outcome) -> Outcome {
    term.state.withLock { body($0.isOver ? [] : supervisor.descendants) }
  }

  /// Whether nothing but the program runs below the supervisor; false also where that takes a longer look.
  private func isAlone(_ program: pid_t) -> Bool {
    term.state.withLock { state in
      guard !state.isOver else { return false }
      if state.onlyChild == nil { state.onlyChild = OnlyChild(program, below: supervisor.id) }
      return state.onlyChild?.isAlone ?? false
    }
  }

  /// `4711 sleep 60` without the number, which is another one in each run.
  private static func command(_ line: Substring) -> String { String(line.drop { $0 != " " }.dropFirst()) }

  private static func description(of process: pid_t) -> String {
    var text = [CChar](repeating: 0, count: 400)
    clinux_describe(process, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Supervision {
  /// An instant by which the system counts the ages of processes, in steps of a hundredth of a second.
  struct Instant: Sendable {
    fileprivate let ticks: UInt64

    static var now: Instant { Instant(ticks: clinux_now()) }
  }
}
