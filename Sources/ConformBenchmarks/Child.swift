import CLinux
import Glibc

/// A process that was started for a measurement.
struct Child {
  /// How a process ended and what it cost.
  struct Ending {
    /// The exit code; nil when a signal ended it.
    var code: Int32?
    /// The most memory that it, or a process that it waited for, ever held.
    var peakMegabytes: Double
    /// How long processors worked for it, and for the processes that it waited for, in seconds. What else the machine does
    /// hardly changes it.
    var processor: Double
  }

  let id: pid_t
  /// Readable when the process has ended.
  let exit: Int32

  /// Starts a program; a name without `/` is looked up in `PATH`. Streams that are not given lead to /dev/null.
  init(_ program: String, _ arguments: [String] = [], input: Int32? = nil, output: Int32? = nil) throws(BenchFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, number) in [(input, Int32(0)), (output, 1), (nil, 2)] {
      if let stream {
        posix_spawn_file_actions_adddup2(&actions, stream, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id = pid_t(0)
    let code = posix_spawnp(&id, program, &actions, nil, words, environ)
    guard code == 0 else { throw BenchFailure(system: "starting \(program)", code: code) }
    self.id = id
    exit = clinux_pidfd_open(id)
    if exit < 0 { throw BenchFailure(system: "pidfd_open") }
  }

  /// Waits for its end; kills it when that takes longer than the limit.
  func wait(_ limit: Duration = .seconds(60)) -> Ending {
    var ended = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    if poll(&ended, 1, Int32(limit.milliseconds)) <= 0 { kill() }
    close(exit)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    // ru_maxrss counts KiB.
    let peak = Double(usage.ru_maxrss) * 1024 / 1_000_000
    return Ending(
      code: status & 0x7F == 0 ? status >> 8 & 0xFF : nil, peakMegabytes: peak, processor: usage.processor)
  }

  /// How long processors have worked for this process, and for those that it waited for, in seconds.
  static func processorOfAll() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, whose in
      var usage = rusage()
      getrusage(whose.rawValue, &usage)
      return sum + usage.processor
    }
  }

  func kill() { _ = Glibc.kill(id, SIGKILL) }

  /// Runs a program from its start to its end: how it ended, and its wall time.
  static func run(
    _ program: String, _ arguments: [String] = [], within limit: Duration = .seconds(60)
  ) throws(BenchFailure) -> (Ending, Duration) {
    let start = ContinuousClock.now
    let ending = try Child(program, arguments).wait(limit)
    return (ending, ContinuousClock.now - start)
  }
}

extension rusage {
  /// The time in the program and in the system for it, in seconds.
  fileprivate var processor: Double {
    [ru_utime, ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
  }
}
