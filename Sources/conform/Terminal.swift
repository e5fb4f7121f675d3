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

  private static let failure = Mutex<Int32?>(nil)
  private static let redaction = Mutex(Redaction())

  private static func write(_ text: TerminalText, to descriptor: Int32) {
    let text = redaction.withLock { $0 }(text.text)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count < 0, code == EINTR { continue }
      guard count > 0 else {
        if descriptor == STDOUT_FILENO, code != EPIPE { failure.withLock { $0 = $0 ?? code } }
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}
