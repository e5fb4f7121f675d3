import CLinux
import Glibc

/// A process that was started for a measurement.
struct Child {
  /// How a process ended, and how much processor time and memory it used.
  struct Ending {
    /// The exit code; nil if a signal ended the process.
    var code: Int32?
    /// The peak memory, in megabytes. The process and the processes that it waited for are compared, and the largest
    /// peak counts.
    var peakMegabytes: Double
    /// The processor time of the process and of the processes that it waited for, in seconds. Other load on the machine
    /// hardly changes this time.
    var processor: Double
  }

  let id: pid_t
  /// A descriptor that becomes readable when the process has ended.
  let exit: Int32

  /// Starts a program. If its name has no `/`, it is looked up in `PATH`. If a parameter for a stream is nil, the
  /// stream is connected to /dev/null.
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

  /// Waits until the process has ended. Kills it if it has not ended within the limit.
  func wait(_ limit: Duration = .seconds(60)) -> Ending {
    var ended = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    if poll(&ended, 1, Int32(limit.milliseconds)) <= 0 { kill() }
    close(exit)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    // `ru_maxrss` is in KiB.
    let peak = Double(usage.ru_maxrss) * 1024 / 1_000_000
    return Ending(
      code: status & 0x7F == 0 ? status >> 8 & 0xFF : nil, peakMegabytes: peak, processor: usage.processor)
  }

  /// The processor time of this process and of the processes that it waited for, in seconds.
  static func processorOfAll() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, whose in
      var usage = rusage()
      getrusage(whose.rawValue, &usage)
      return sum + usage.processor
    }
  }

  func kill() { _ = Glibc.kill(id, SIGKILL) }

  /// Runs a program. Returns how it ended, and its wall time.
  static func run(
    _ program: String, _ arguments: [String] = [], within limit: Duration = .seconds(60)
  ) throws(BenchFailure) -> (Ending, Duration) {
    let start = ContinuousClock.now
    let ending = try Child(program, arguments).wait(limit)
    return (ending, ContinuousClock.now - start)
  }
}

extension rusage {
  /// The processor time in user mode and in the kernel, in seconds.
  fileprivate var processor: Double {
    [ru_utime, ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
  }
}
