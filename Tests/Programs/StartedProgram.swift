import CLinux
import Foundation
import Glibc
import Synchronization

/// A program that a test started, and how it ended.
///
/// Not Foundation's `Process`: a whole run of the tests has died in its `run()`, of a copy past the end of mapped memory,
/// where it looks for open descriptors. Nor a child of the kit's: its supervisor would end what a tested kit leaves behind.
public final class StartedProgram: Sendable {
  public enum Ending: Equatable, Sendable {
    case exited(code: Int32)
    case signalled(Int32)
  }

  private enum State {
    case runs(waiting: [CheckedContinuation<Ending, Never>])
    case ended(Ending)
  }

  public let id: pid_t
  private let state = Mutex(State.runs(waiting: []))

  /// Starts a program with an empty stdin, the signal dispositions of a new shell and no descriptor of this process but
  /// the two given.
  ///
  /// - Throws: a POSIX error where it cannot be started.
  public init(
    path: String, arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    folder: String = ".",
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO
  ) throws {
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addchdir_np(&actions, folder)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var id: pid_t = 0
    let error = posix_spawn(&id, path, &actions, &attributes, words, variables)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    self.id = id
    Thread { self.collect() }.start()
  }

  /// Waits for the end of the program on a thread of its own. No other process can get its id before `waitpid` returns.
  private func collect() {
    var seen = siginfo_t()
    while waitid(P_PID, id_t(id), &seen, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      waitpid(id, &status, 0)
      let signal = status & 0x7F
      let ending = signal == 0 ? Ending.exited(code: status >> 8 & 0xFF) : .signalled(signal)
      if case .runs(let waiting) = state { for one in waiting { one.resume(returning: ending) } }
      state = .ended(ending)
    }
  }

  public var isRunning: Bool {
    state.withLock { if case .runs = $0 { true } else { false } }
  }

  /// Sends it a signal, if it still runs.
  public func signal(_ number: Int32) {
    state.withLock { if case .runs = $0 { kill(id, number) } }
  }

  /// Waits for its end.
  public var ending: Ending {
    get async {
      await withCheckedContinuation { continuation in
        let ended: Ending? = state.withLock { state in
          switch state {
          case .ended(let ending): return ending
          case .runs(let waiting):
            state = .runs(waiting: waiting + [continuation])
            return nil
          }
        }
        if let ended { continuation.resume(returning: ended) }
      }
    }
  }
}
