import CLinux
import Glibc
import Recording
import Synchronization

/// Writes to stdout and stderr, and examines the terminals to which they are connected.
package enum Terminal {
  package static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether stdout supports colours: stdout is a terminal, `TERM` is not `dumb`, and `NO_COLOR` is not set.
  package static var outputHasColours: Bool {
    guard outputIsTerminal else { return false }
    let isOff = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return !isOff && !isDumb
  }

  /// The number of columns of the terminal at stdout; 80 without a terminal.
  package static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The first error while writing to stdout; nil if there was none. A reader that closes the pipe is not an error.
  package static var obstacle: String? { failure.withLock { $0 }.map { String(cString: strerror($0)) } }

  /// Replaces these secrets in all further output.
  package static func conceal(_ secrets: Redaction) { redaction.withLock { $0 = secrets } }

  package static func output(_ text: TerminalText) { write(text, to: STDOUT_FILENO) }
  package static func error(_ text: TerminalText) { write(text, to: STDERR_FILENO) }

  /// From now on, limits the time that the program waits until another program reads its output.
  static func hurry() { isHurried.store(true, ordering: .relaxed) }

  private static let isHurried = Atomic(false)
  private static let failure = Mutex<Int32?>(nil)
  private static let redaction = Mutex(Redaction())

  private static func write(_ text: TerminalText, to descriptor: Int32) {
    let text = redaction.withLock { $0 }(text.text)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let isTaken = waitsUntilTaken(descriptor)
      let count = isTaken ? rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, min($0.count, piece)) } : -1
      let code = isTaken ? errno : ETIMEDOUT
      if count < 0, code == EINTR || code == EAGAIN { continue }
      guard count > 0 else {
        if descriptor == STDOUT_FILENO, code != EPIPE { failure.withLock { $0 = $0 ?? code } }
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  /// The largest number of bytes in one write. If a pipe is writable, it takes this number of bytes without blocking;
  /// see pipe(7), PIPE_BUF.
  private static let piece = 4096

  /// Waits until a stream takes bytes, so that a write does not block. Before ``hurry()``, a wait has no limit. After
  /// ``hurry()``, all waits together take at most two seconds. The limit is necessary because the program that reads a
  /// pipe may have stopped for ever, and so may a terminal. Returns false if the time is over.
  private static func waitsUntilTaken(_ descriptor: Int32) -> Bool {
    while !clinux_takes_bytes(descriptor, 100) {
      guard isHurried.load(ordering: .relaxed) else { continue }
      if patience.subtract(1, ordering: .relaxed).newValue <= 0 { return false }
    }
    return true
  }

  /// After ``hurry()``, the program waits at most this number of tenths of a second, in all writes together. Each wait
  /// reduces the number.
  private static let patience = Atomic(20)
}
