import Glibc
import Processes

/// The cost of supervision, with which the kit ends all processes that a subject starts. The benchmark starts and ends
/// a program under a supervisor. For the baseline, it starts and ends the same program as its own child, without a
/// supervisor.
struct SupervisedStarts {
  static let figure = "start and end of a program, processor time"

  private static let rounds = 7
  private static let startsOfRound = 50
  private static let program = "/bin/true"

  func measurements() throws -> [Measurement] {
    var (supervised, bare): ([Double], [Double]) = ([], [])
    // The rounds alternate, so that other load on the machine affects both.
    for _ in 0..<Self.rounds {
      supervised.append(
        try Self.processor {
          for _ in 0..<Self.startsOfRound { try Self.startBelowSupervisor() }
          // The processor time of the server and its supervisors is known only after they exit.
          ForkServer.close()
        })
      bare.append(try Self.processor { for _ in 0..<Self.startsOfRound { _ = try Child.run(Self.program) } })
    }
    let suite = try ReferenceRun(["--role", "sdk"], countsWork: true)
    let starts = suite.work?.starts ?? 0
    return [
      Measurement(
        Self.figure, supervised.median * 1000, "ms", against: .init(name: "a bare child", value: bare.median * 1000)),
      Measurement(
        "what that adds to the SDK suite", max(0, supervised.median - bare.median) * Double(starts), "s",
        against: .init(name: "the suite, with \(starts) starts", value: suite.processor), target: .ratioAtMost(0.05)),
    ]
  }

  /// The mean processor time of one program start in a round, in seconds. A round has ``startsOfRound`` starts.
  private static func processor(_ round: () throws -> Void) throws -> Double {
    let before = Child.processorOfAll()
    try round()
    return (Child.processorOfAll() - before) / Double(startsOfRound)
  }

  private static func startBelowSupervisor() throws {
    let child = try ChildProcess.start(ProgramCommand(executable: program))
    var ended = pollfd(fd: child.exit, events: Int16(POLLIN), revents: 0)
    while poll(&ended, 1, -1) < 0, errno == EINTR {}
    child.reap(atOnce: false)
    for file in [child.exit, child.input, child.output, child.errors] { close(file) }
  }
}
