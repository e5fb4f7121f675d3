import Glibc

/// Keeps the current input where a signal handler can read it. If the input ends the process, the handler first writes
/// the input to a file.
///
/// A trap raises a signal. If the reader hangs, a timer raises a signal. The timer counts processor time, so that other
/// load on the machine does not look like a hang. If the reader uses too much memory, the system refuses an allocation,
/// and this ends in a trap.
enum Guard {
  /// The processor time that one input may take, in seconds.
  static let timeLimit = 1
  /// The largest address space of the process, in bytes.
  static let memoryLimit: rlim_t = 2 << 30

  // A handler may neither allocate nor wait. It reads only this memory, which only the thread that reads inputs writes.
  nonisolated(unsafe) private static var input: UnsafeMutableRawPointer?
  nonisolated(unsafe) private static var count = 0
  nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

  /// From now on, an input that ends the process in this thread is written to this file.
  static func arm(foundAt file: String) {
    free(path)
    path = strdup(file)
    if input == nil {
      input = .allocate(byteCount: Mutator.maximumSize, alignment: 16)
      var limit = rlimit(rlim_cur: memoryLimit, rlim_max: memoryLimit)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      // The handler has a stack of its own, because it cannot run on a stack that is full.
      var stack = stack_t()
      stack.ss_size = 64 << 10
      stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
      sigaltstack(&stack, nil)
    }
    for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGPROF] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { Guard.leave($0) }
      action.sa_flags = SA_ONSTACK
      sigaction(signal, &action, nil)
    }
  }

  /// Stores the next input, and starts its timer.
  static func begin(_ bytes: [UInt8]) {
    count = min(bytes.count, Mutator.maximumSize)
    bytes.withUnsafeBytes { if let base = $0.baseAddress { input?.copyMemory(from: base, byteCount: count) } }
    time(timeLimit)
  }

  /// Stops the timer, because the input has been read.
  static func end() { time(0) }

  /// Writes the current input to the file. It is called if the input violates a property but does not end the process.
  static func keep() {
    guard let path else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { return }
    _ = write(file, input, count)
    close(file)
  }

  private static func leave(_ signal: Int32) {
    keep()
    say(signal == SIGPROF ? "an input took more than a second of processor time" : "an input ended the process")
    _exit(1)
  }

  private static func say(_ text: StaticString) {
    _ = write(STDERR_FILENO, "conform-fuzz: ", 14)
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _ = write(STDERR_FILENO, "; it is ", 8)
    if let path { _ = write(STDERR_FILENO, path, strlen(path)) }
    _ = write(STDERR_FILENO, "\n", 1)
  }

  private static func time(_ seconds: Int) {
    var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
  }
}
