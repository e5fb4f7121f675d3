import CLinux
import ConformanceBench
import Glibc
import Synchronization

/// The two streams of the process, and what is known of the terminals behind them.
enum Terminal {
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether colours may be used on stdout: a terminal, and neither `NO_COLOR` nor a dumb one.
  static var outputHasColours: Bool {
    guard outputIsTerminal else { return false }
    let isOff = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return !isOff && !isDumb
  }

  /// The columns of the terminal behind stdout; 80 when there is none.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// What keeps stdout from being written, first of all; nil where nothing does. A reader that went away is nothing.
  static var obstacle: String? { failure.withLock { $0 }.map { String(cString: strerror($0)) } }

  /// From now on no secret of these is written, whatever text it stands in.
  static func conceal(_ secrets: Redaction) { redaction.withLock { $0 = secrets } }

  static func output(_ text: TerminalText) { write(text, to: STDOUT_FILENO) }
  static func error(_ text: TerminalText) { write(text, to: STDERR_FILENO) }

  /// From now on nobody is waited for who does not read what is written.
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

  /// What a stream takes at once that takes anything at all; see pipe(7), PIPE_BUF.
  private static let piece = 4096

  /// Waits until a stream takes what is written, as long as that takes; once an end was asked for, two seconds in all. Who
  /// reads a pipe, or a terminal that was stopped, may never do so again, and nothing ends a write that waits for that.
  private static func waitsUntilTaken(_ descriptor: Int32) -> Bool {
    while !clinux_takes_bytes(descriptor, 100) {
      guard isHurried.load(ordering: .relaxed) else { continue }
      if patience.subtract(1, ordering: .relaxed).newValue <= 0 { return false }
    }
    return true
  }

  /// How often somebody is waited for who was asked to hurry, a tenth of a second each time.
  private static let patience = Atomic(20)
}
